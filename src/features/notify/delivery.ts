/**
 * Sends what was told, by one instance at a time. A message is struck off after it was accepted: a crash in between sends it
 * twice. The other order would lose it, and "the backup failed" is worth more than a repetition.
 */
import type { Coordination } from '../../coordination/coordination.ts'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { Settings } from '../settings/settings.ts'
import { dropMessage, dueMessage, type Message, postpone } from './notify.store.ts'
import { MESSAGE_AGE, pauseAfter } from './pauses.ts'
import type { UploadNotices } from './upload-notice.ts'
import type { Webhook } from './webhook.ts'

export interface DeliveryParts {
  database: Database
  settings: Settings
  coordination: Coordination
  notices: UploadNotices
  webhook: Webhook
  log: Log
  now: () => number
}

/** Does what is due now, and ends early when `more` says no. */
export type Deliver = (more?: () => boolean) => Promise<void>

export function createDelivery(parts: DeliveryParts): Deliver {
  const { database, settings, coordination, notices, webhook, log, now } = parts

  const drop = (message: Message) => database.transaction(tx => dropMessage(tx, message.nr))

  async function send(message: Message, signal: AbortSignal): Promise<void> {
    const { occasion } = message
    const { WEBHOOK_URL } = settings.current()
    // Taken away since; who sets another one wants no old news there.
    if (WEBHOOK_URL === '') return drop(message)
    const { ok, status, again, answer, pause } = await webhook.send(WEBHOOK_URL, message.text, signal)
    if (ok) {
      await drop(message)
      log.debug('a message was sent', { occasion })
      return
    }
    // Whoever holds the task now decides.
    if (signal.aborted) return
    const next = now() + pauseAfter(message.attempts + 1, pause)
    const givenUp = !again || next > message.created_at + MESSAGE_AGE
    if (givenUp) await drop(message)
    else await database.transaction(tx => postpone(tx, message, next))
    const fields = { occasion, status, ...(status === null && { answer }), attempt: message.attempts + 1 }
    if (givenUp) log.error('a message was given up', fields)
    else log.warn('a message could not be sent yet', fields)
  }

  return async (more = () => true) => {
    const isDue = (await dueMessage(database.read, now())) !== null || (await notices.isDue())
    if (!isDue) return
    await coordination.exclusively('notify', async signal => {
      await notices.close()
      while (more() && !signal.aborted) {
        const message = await dueMessage(database.read, now())
        if (!message) return
        await send(message, signal)
      }
    })
  }
}

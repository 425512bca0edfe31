/**
 * Sends the queued messages, one instance at a time. A message is deleted from the queue only after the other
 * side has accepted it, so a crash in between sends the message twice. The opposite order would lose the
 * message, and a message such as "the backup failed" must not be lost; sending it twice is the lesser harm.
 */
import type { FeatureParts } from '../feature.ts'
import { dropMessage, dueMessage, type Message, postpone } from './notify.store.ts'
import { MESSAGE_AGE, pauseAfter } from './pauses.ts'
import type { UploadNotices } from './upload-notice.ts'
import type { Webhook } from './webhook.ts'

interface DeliveryParts extends Pick<FeatureParts, 'database' | 'coordination' | 'log' | 'now' | 'settings'> {
  notices: UploadNotices
  webhook: Webhook
}

/** Sends every message that is due now; stops early, between two messages, when `more` answers false. */
type Deliver = (more?: () => boolean) => Promise<void>

export function createDelivery(parts: DeliveryParts): Deliver {
  const { database, settings, coordination, notices, webhook, log, now } = parts

  const drop = (message: Message) => database.transaction(tx => dropMessage(tx, message.nr))

  async function send(message: Message, signal: AbortSignal): Promise<void> {
    const { occasion } = message
    const { WEBHOOK_URL } = settings.current()
    // The webhook was removed after the message was queued. If another address is set later,
    // old messages should not be sent to it.
    if (WEBHOOK_URL === '') return drop(message)
    const { ok, status, again, answer, pause } = await webhook.send(WEBHOOK_URL, message.text, signal)
    if (ok) {
      await drop(message)
      log.debug('a message was sent', { occasion })
      return
    }
    // This instance has lost the task: the instance that holds the task now decides what happens to the
    // message.
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

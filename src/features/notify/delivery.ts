/**
 * Sends the queued messages to the chat webhook; only one instance of the service does so at a time. A
 * message is deleted when the webhook has accepted it, when it is given up, or when no webhook is set any
 * more. A crash between the acceptance and the deletion sends the message twice, which is better than losing
 * a message such as “the backup failed”.
 */
import type { FeatureParts } from '../feature.ts'
import { deleteMessage, findDueMessage, postponeMessage, type QueuedMessage } from './notify.store.ts'
import { MAX_MESSAGE_AGE, pauseAfter } from './pauses.ts'
import type { UploadNotices } from './upload-notice.ts'
import type { Webhook } from './webhook.ts'

interface DeliveryParts extends Pick<FeatureParts, 'database' | 'coordination' | 'log' | 'now' | 'settings'> {
  notices: UploadNotices
  webhook: Webhook
}

/**
 * Queues a message about the collected uploads if that is due, then sends every due message. Does nothing
 * while another instance is sending. Stops between two messages when `mayContinue` returns false or the lease
 * is lost.
 */
type Deliver = (mayContinue?: () => boolean) => Promise<void>

export function createDelivery(parts: DeliveryParts): Deliver {
  const { database, settings, coordination, notices, webhook, log, now } = parts

  const discard = (message: QueuedMessage) => database.transaction(tx => deleteMessage(tx, message.nr))

  async function send(message: QueuedMessage, signal: AbortSignal): Promise<void> {
    const { occasion } = message
    const { WEBHOOK_URL } = settings.current()
    // The address of the webhook was removed after the message was queued. An address that is set later
    // should not get old messages.
    if (WEBHOOK_URL === '') return discard(message)
    const { ok, status, isRetryable, answer, pause } = await webhook.send(WEBHOOK_URL, message.text, signal)
    if (ok) {
      await discard(message)
      log.debug('a message was sent', { occasion })
      return
    }
    // This instance has lost the lease `notify`. The instance that gets it next decides what happens to the
    // message.
    if (signal.aborted) return
    const nextAttemptAt = now() + pauseAfter(message.attempts + 1, pause)
    const isGivenUp = !isRetryable || nextAttemptAt > message.created_at + MAX_MESSAGE_AGE
    if (isGivenUp) await discard(message)
    else await database.transaction(tx => postponeMessage(tx, message, nextAttemptAt))
    const logFields = { occasion, status, ...(status === null && { answer }), attempt: message.attempts + 1 }
    if (isGivenUp) log.error('a message was given up', logFields)
    else log.warn('a message could not be sent yet', logFields)
  }

  return async (mayContinue = () => true) => {
    const isDue = (await findDueMessage(database.read, now())) !== null || (await notices.isDue())
    if (!isDue) return
    await coordination.exclusively('notify', async signal => {
      await notices.close()
      while (mayContinue() && !signal.aborted) {
        const message = await findDueMessage(database.read, now())
        if (!message) return
        await send(message, signal)
      }
    })
  }
}

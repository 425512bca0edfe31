/**
 * Lets features send a message to the chat webhook. A message is only queued: the caller never waits for the
 * chat and never fails because of it. Nothing is queued if the occasion is switched off or no webhook is set.
 */
import type { Occasion } from '../../contract/service/occasions.ts'
import type { Queries } from '../../database/database.ts'
import type { FeatureParts } from '../feature.ts'
import type { Settings } from '../settings/settings.ts'
import { addMessage } from './notify.store.ts'

export type Notifier = ReturnType<typeof createNotifier>

type NotifyParts = Pick<FeatureParts, 'database' | 'now' | 'log' | 'settings'>

/**
 * Queueing needs no network, so commands can do it too. Any instance of the service may deliver the message.
 */
export function createNotifier({ database, settings, now, log }: NotifyParts) {
  return {
    /** `text`: one or a few lines of German, without formatting. */
    async queue(occasion: Exclude<Occasion, 'upload'>, text: string) {
      if (!isOccasionEnabled(settings, occasion)) return
      await database
        .transaction(tx => queueMessage(tx, settings, occasion, text, now()))
        .catch(cause => log.error('a message could not be noted', { occasion, cause }))
    },
  }
}

/** Whether the current settings allow messages for this occasion. */
export function isOccasionEnabled(settings: Settings, occasion: Occasion): boolean {
  const { WEBHOOK_URL, WEBHOOK_ANLAESSE } = settings.current()
  return WEBHOOK_URL !== '' && WEBHOOK_ANLAESSE.includes(occasion)
}

/** Queues a message in the transaction of the caller, which has checked `isOccasionEnabled`. */
export async function queueMessage(
  tx: Queries,
  settings: Settings,
  occasion: Occasion,
  text: string,
  time: number,
): Promise<void> {
  // The text begins with the name of the service, since several services may write to one chat channel.
  await addMessage(tx, occasion, `${settings.current().DIENST}: ${text}`, time)
}

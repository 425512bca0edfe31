/**
 * How the other features send a message to the chat webhook. The message is only queued: the caller never
 * waits for the chat and never fails because of it. Nothing is queued where the occasion is switched off or
 * no webhook is set.
 */
import type { Occasion } from '../../contract/service/occasions.ts'
import type { Queries } from '../../database/database.ts'
import type { FeatureParts } from '../feature.ts'
import type { Settings } from '../settings/settings.ts'
import { addMessage } from './notify.store.ts'

export interface Notify {
  /** `text` is one German sentence or a few lines of German, without any formatting. */
  queue(occasion: Exclude<Occasion, 'upload'>, text: string): Promise<void>
}

type NotifyParts = Pick<FeatureParts, 'database' | 'now' | 'log' | 'settings'>

/**
 * Queueing needs no network, so an operator's command can do it just as the service does. The instance that
 * delivers next sends the message.
 */
export function createNotify({ database, settings, now, log }: NotifyParts): Notify {
  return {
    async queue(occasion, text) {
      if (!isWanted(settings, occasion)) return
      try {
        await database.transaction(tx => queueMessage(tx, settings, occasion, text, now()))
      } catch (error) {
        log.error('a message could not be noted', { occasion, cause: error })
      }
    },
  }
}

/** Whether messages about the occasion are wanted, according to the settings as they are now. */
export function isWanted(settings: Settings, occasion: Occasion): boolean {
  const { WEBHOOK_URL, WEBHOOK_ANLAESSE } = settings.current()
  return WEBHOOK_URL !== '' && WEBHOOK_ANLAESSE.includes(occasion)
}

/** Queues a message in the caller's own transaction. The caller has asked `isWanted` before. */
export async function queueMessage(
  tx: Queries,
  settings: Settings,
  occasion: Occasion,
  text: string,
  at: number,
): Promise<void> {
  // The message begins with the name of the service, since several services may write to one channel.
  await addMessage(tx, occasion, `${settings.current().DIENST}: ${text}`, at)
}

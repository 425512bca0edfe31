/**
 * What the other parts know of messages to the chat webhook. Telling never waits for the other side, never fails what
 * told it, and says nothing where the occasion is switched off or no webhook is set.
 */
import type { Occasion } from '../../contract/occasions.ts'
import type { Database, Queries } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { Settings } from '../settings/settings.ts'
import { addMessage } from './notify.store.ts'

export interface Notify {
  /** `text` is one German sentence or a few lines of it, without any formatting. */
  tell(occasion: Exclude<Occasion, 'upload'>, text: string): Promise<void>
}

export interface NotifyParts {
  database: Database
  settings: Settings
  now: () => number
  log: Log
}

/** Needs no network, so an operator's command tells like the service; whichever instance comes first sends it. */
export function createNotify({ database, settings, now, log }: NotifyParts): Notify {
  return {
    async tell(occasion, text) {
      if (!isWanted(settings, occasion)) return
      try {
        await database.transaction(tx => queueMessage(tx, settings, occasion, text, now()))
      } catch (error) {
        log.error('a message could not be noted', { occasion, cause: error })
      }
    },
  }
}

/** Whether anybody wants to hear of it, as of now. */
export function isWanted(settings: Settings, occasion: Occasion): boolean {
  const { WEBHOOK_URL, WEBHOOK_ANLAESSE } = settings.current()
  return WEBHOOK_URL !== '' && WEBHOOK_ANLAESSE.includes(occasion)
}

/** For those who tell in a transaction of their own. */
export async function queueMessage(
  tx: Queries,
  settings: Settings,
  occasion: Occasion,
  text: string,
  at: number,
): Promise<void> {
  // Several services may write to one channel.
  await addMessage(tx, occasion, `${settings.current().DIENST}: ${text}`, at)
}

/**
 * What the other parts know of messages to the chat webhook. Telling never waits for the other side, never fails what
 * told it, and says nothing where the occasion is switched off or no webhook is set.
 */
import type { Occasion } from '../../contract/occasions.ts'

export interface Notify {
  /** `text` is one German sentence or a few lines of it, without any formatting. */
  tell(occasion: Exclude<Occasion, 'upload'>, text: string): Promise<void>
}

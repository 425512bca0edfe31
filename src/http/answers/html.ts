/**
 * Escapes text for HTML that is written by hand: the text becomes harmless in content and in quoted
 * attributes alike.
 */
import { ownValue } from '../../contract/values/own-value.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string) => text.replace(/[&<>"']/g, character => ownValue(ENTITIES, character)!)

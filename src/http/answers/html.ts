/** Escapes text for HTML, in content and in quoted attributes. */
import { ownValue } from '../../contract/values/own-value.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, character => ownValue(ENTITIES, character)!)

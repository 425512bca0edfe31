/**
 * The language of a page for visitors: German if the browser prefers it or states no preference, otherwise
 * English.
 */
import type { RequestHead } from '../request-head.ts'

export type PageLanguage = 'de' | 'en'

export function languageOf(request: Pick<RequestHead, 'headers'>): PageLanguage {
  const preferred = request.headers.get('Accept-Language')?.trim().toLowerCase() ?? 'de'
  return preferred.startsWith('de') || preferred === '' || preferred === '*' ? 'de' : 'en'
}

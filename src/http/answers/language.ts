/**
 * The language of a page for visitors: German if the browser prefers it or states no preference, otherwise
 * English.
 */
import type { BodilessRequest } from '../bodiless-request.ts'

export type PageLanguage = 'de' | 'en'

export function pageLanguageOf(request: Pick<BodilessRequest, 'headers'>): PageLanguage {
  const preferredLanguage = request.headers.get('Accept-Language')?.trim().toLowerCase() ?? 'de'
  return preferredLanguage.startsWith('de') || preferredLanguage === '' || preferredLanguage === '*'
    ? 'de'
    : 'en'
}

/** Content negotiation by `Accept` and `Accept-Encoding` (RFC 9110 sections 12.5.1 and 12.5.3). */
import { splitUnquoted } from '../../contract/values/text.ts'

/**
 * Whether the client accepts WebP. Only `image/webp` counts, since `image/*` is also sent by clients that do
 * not know WebP.
 */
export const acceptsWebp = (accept: string | null) => weightOf(accept, 'image/webp') > 0

export const acceptsAvif = (accept: string | null) => weightOf(accept, 'image/avif') > 0

/** Whether `Accept` names HTML and prefers it to JSON. Browsers name HTML, other programs usually do not. */
export function prefersHtml(accept: string | null): boolean {
  const htmlWeight = weightOf(accept, 'text/html')
  return htmlWeight > 0 && htmlWeight > weightOf(accept, 'application/json')
}

/**
 * The first offered encoding that `Accept-Encoding` names and does not refuse; null if there is none, so that
 * the answer is not encoded.
 */
export function acceptedEncoding<Name extends string>(
  accept: string | null,
  offeredEncodings: readonly Name[],
): Name | null {
  return offeredEncodings.find(encoding => weightOf(accept, encoding) > 0) ?? null
}

/**
 * The weight of a media type or encoding (RFC 9110 section 12.4.2). 0 if the header does not name it, or
 * names it with a weight that is 0 or not a number.
 */
function weightOf(accept: string | null, typeOrEncoding: string): number {
  // This runs for many requests for files, so a header that does not contain the name is skipped quickly.
  const lowerCaseHeader = accept?.toLowerCase()
  if (!lowerCaseHeader?.includes(typeOrEncoding)) return 0
  for (const entry of splitUnquoted(lowerCaseHeader, ',')) {
    if (!entry.includes(typeOrEncoding)) continue
    const [name = '', ...parameters] = splitUnquoted(entry, ';').map(text => text.trim())
    if (name !== typeOrEncoding) continue
    const weightParameter = parameters.find(parameter => parameter.startsWith('q='))
    return weightParameter === undefined ? 1 : Number(weightParameter.slice(2)) || 0
  }
  return 0
}

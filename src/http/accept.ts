/** Which form of an answer a reader wants (RFC 9110 sections 12.5.1 and 12.5.3). */
import { splitUnquoted } from '../contract/text.ts'

/** Only by name: `image/*` is what clients send that have never heard of WebP. */
export const acceptsWebp = (accept: string | null) => rating(accept, 'image/webp') > 0

/**
 * True when `Accept` names HTML, and rates it above JSON where it names that too. Browsers name it; programs that take
 * anything, or say nothing, do not.
 */
export function prefersHtml(accept: string | null): boolean {
  const html = rating(accept, 'text/html')
  return html > 0 && html > rating(accept, 'application/json')
}

/** The first of `offered` that `Accept-Encoding` names, or null for plain bytes. */
export function acceptedEncoding<Name extends string>(
  accept: string | null,
  offered: readonly Name[],
): Name | null {
  return offered.find(encoding => rating(accept, encoding) > 0) ?? null
}

/** 0 when the form is not named, or refused: by a weight of 0 wherever it stands, or by one that is none (12.4.2). */
function rating(accept: string | null, form: string): number {
  // On the way of every file that is sent, so what does not name the form at all is passed over quickly.
  const sent = accept?.toLowerCase()
  if (!sent?.includes(form)) return 0
  for (const part of splitUnquoted(sent, ',')) {
    if (!part.includes(form)) continue
    const [name = '', ...parameters] = splitUnquoted(part, ';').map(each => each.trim())
    if (name !== form) continue
    const weight = parameters.find(each => each.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return 0
}

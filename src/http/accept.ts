/** Which form of an answer a reader wants (RFC 9110 sections 12.5.1 and 12.5.3). */

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

/** 0 when the form is not named, or refused. */
function rating(accept: string | null, form: string): number {
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map(each => each.trim())
    if (name !== form) continue
    const quality = parameters.find(each => each.startsWith('q='))
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0
  }
  return 0
}

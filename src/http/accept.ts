/** Which of two forms a reader wants (RFC 9110 section 12.5.1). */

/**
 * True when `Accept` names HTML, and rates it above JSON where it names that too. Browsers name it; programs that take
 * anything, or say nothing, do not.
 */
export function prefersHtml(accept: string | null): boolean {
  const html = rating(accept, 'text/html')
  return html > 0 && html > rating(accept, 'application/json')
}

/** 0 when the type is not named, or refused. */
function rating(accept: string | null, type: string): number {
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map(each => each.trim())
    if (name !== type) continue
    const quality = parameters.find(each => each.startsWith('q='))
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0
  }
  return 0
}

/** What the dashboard's pages may load and do; the headers of each page tell the browser. */

/** The characters of an ordinary origin: any other character could end the directive and begin another one. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

/**
 * A page runs no script but those it was sent with and what they import. It loads nothing from other hosts but stored
 * pictures, films and sounds at the public address. Scripts are allowed by a nonce, which imported modules inherit.
 * `'self'` would run every stored file that markup names; `'strict-dynamic'` would do the same after
 * `<link rel="modulepreload">`. Hashes would leave the page unchanged from answer to answer, but browsers do not hand
 * hashes on to imported modules.
 *
 * Mantine writes its theme and its responsive sizes into style elements at run time, hence `unsafe-inline` for style
 * elements. Style attributes, which injected markup would use, stay forbidden (decision 0004).
 */
export function contentPolicy(publicUrl: string, nonce: string): string {
  const { origin } = new URL(publicUrl)
  const files = ORIGIN.test(origin) ? `'self' ${origin}` : `'self'`
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'unsafe-inline'`,
    `style-src-attr 'none'`,
    `img-src ${files} data: blob:`,
    `media-src ${files} blob:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
  ].join('; ')
}

export function pageHeaders(publicUrl: string, nonce: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentPolicy(publicUrl, nonce),
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}

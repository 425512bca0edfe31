/** What the dashboard's pages may load and do, told to the browser with each of them. */

/** The characters of an ordinary origin: any other could end the directive and begin another. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

/**
 * No script but those the page was sent with and what they import, nothing from other hosts but stored pictures, films and
 * sounds at the public address. Scripts are known by a nonce, which imported modules inherit: `'self'` would run every
 * stored file that markup names, and so would `'strict-dynamic'` after `<link rel="modulepreload">`. Hashes would leave the
 * page unchanged from answer to answer, but browsers do not hand them on to imported modules.
 *
 * Mantine writes its theme and its responsive sizes into style elements at run time, hence `unsafe-inline` for those;
 * style attributes, which injected markup would use, stay forbidden (decision 0004).
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

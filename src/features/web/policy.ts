/** What the dashboard's pages may load and do, told to the browser with each of them. */

/** The characters of an ordinary origin: any other could end the directive and begin another. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

/**
 * No script but our own files, nothing from other hosts but stored pictures, films and sounds at the public address.
 * Mantine writes its theme and its responsive sizes into style elements at run time, hence `unsafe-inline` for those;
 * style attributes, which injected markup would use, stay forbidden (decision 0004).
 */
export function contentPolicy(publicUrl: string): string {
  const { origin } = new URL(publicUrl)
  const files = ORIGIN.test(origin) ? `'self' ${origin}` : `'self'`
  return [
    `default-src 'none'`,
    `script-src 'self'`,
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

export function pageHeaders(publicUrl: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentPolicy(publicUrl),
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}

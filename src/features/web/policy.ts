/** The content security policy and other security headers of the dashboard's pages. */
import { filesHostAddress } from '../../contract/paths/addresses.ts'
import type { SettingValues } from '../../contract/service/settings.ts'
import { selfAndOrigin } from '../../http/answers/content-policy.ts'

type AddressSettings = Pick<SettingValues, 'PUBLIC_URL' | 'FILES_HOST'>

/**
 * A page runs only the scripts it was sent with and what they import, and loads nothing from other hosts but
 * stored files, if they have a host of their own (`FILES_HOST`). Scripts are allowed by a nonce, which
 * imported modules inherit; they would not inherit a hash. With `'self'`, injected markup could run a stored
 * file as a script; with `'strict-dynamic'`, it could do so by means of `<link rel="modulepreload">`.
 *
 * The UI library (Mantine) writes its theme and responsive sizes into style elements at run time, hence
 * `unsafe-inline` for style elements. Style attributes, which injected markup would use, stay forbidden
 * (decision 0004).
 */
export function contentSecurityPolicy({ PUBLIC_URL, FILES_HOST }: AddressSettings, nonce: string): string {
  const { origin } = new URL(filesHostAddress(PUBLIC_URL, FILES_HOST))
  const fileSources = FILES_HOST === '' ? `'self'` : selfAndOrigin(origin)
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'unsafe-inline'`,
    `style-src-attr 'none'`,
    `img-src ${fileSources} data: blob:`,
    `media-src ${fileSources} blob:`,
    `font-src 'self'`,
    `manifest-src 'self'`,
    `connect-src ${fileSources}`,
    // For PDF files in the browser's viewer. The dashboard's own pages cannot be framed.
    `frame-src ${fileSources}`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
  ].join('; ')
}

export function pageHeaders(addresses: AddressSettings, nonce: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(addresses, nonce),
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}

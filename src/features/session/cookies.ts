/** Builds the values of `Set-Cookie` for the dashboard. */
import { SESSION_COOKIE } from '../../contract/accounts/session.ts'
import type { Settings } from '../settings/settings.ts'
import { SESSION_LIFETIME } from './sessions.ts'

/**
 * The value of `Set-Cookie`, without `Domain`, so that the browser sends the cookie to this host alone.
 * `lifetime` is in milliseconds.
 */
export function cookieHeader(name: string, value: string, lifetime: number, settings: Settings): string {
  const secureAttribute = settings.current().PUBLIC_URL.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${lifetime / 1000}; HttpOnly; SameSite=Lax${secureAttribute}`
}

/** The value of `Set-Cookie` for the session cookie; an empty secret removes the cookie. */
export const sessionCookie = (secret: string, settings: Settings) =>
  cookieHeader(SESSION_COOKIE, secret, secret === '' ? 0 : SESSION_LIFETIME, settings)

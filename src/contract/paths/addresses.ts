/**
 * Builds the addresses of files. They are built for each response from the public address and stored nowhere.
 */

export const FILES_ROUTE = '/f/'
export const PREVIEWS_ROUTE = '/t/'

/** Where the dashboard's pages get the same content from, on their own origin, followed by the same path. */
export const DASH_FILES_ROUTE = '/api/dash/inhalt/'
export const DASH_PREVIEWS_ROUTE = '/api/dash/vorschau/'

export function fileAddress(publicUrl: string, path: string): string {
  return `${publicUrl}${FILES_ROUTE}${path}`
}

export function previewAddress(publicUrl: string, path: string): string {
  return `${publicUrl}${PREVIEWS_ROUTE}${path}.webp`
}

/**
 * The beginning of the addresses at which files answer while they have a host of their own (`FILES_HOST`).
 */
export function filesHostAddress(publicUrl: string, filesHost: string): string {
  const url = new URL(publicUrl)
  url.hostname = filesHost
  return url.href.replace(/\/$/, '')
}

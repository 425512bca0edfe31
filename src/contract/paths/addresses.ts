/**
 * Builds the addresses of files, share links, drop links and tickets. The public ones are built for each
 * answer, from the settings `PUBLIC_URL` and `FILES_HOST`, and never stored.
 */

export const FILES_ROUTE = '/f/'
export const PREVIEWS_ROUTE = '/t/'
export const PICTURE_SIZES_ROUTE = '/b/'
export const SHARE_ROUTE = '/s/'
export const DROP_ROUTE = '/u/'
/** The routes of files and of pages for visitors. */
export const VISITOR_ROUTES = [FILES_ROUTE, PREVIEWS_ROUTE, PICTURE_SIZES_ROUTE, SHARE_ROUTE, DROP_ROUTE]
export const TICKETS_ROUTE = '/api/tickets'

/** All API routes of the dashboard, and no others, are below this path. */
export const DASHBOARD_ROUTE = '/api/dash'

/**
 * Routes on the dashboard's own origin that serve the same files and previews as `FILES_ROUTE` and
 * `PREVIEWS_ROUTE`.
 */
export const DASH_FILES_ROUTE = `${DASHBOARD_ROUTE}/inhalt/`
export const DASH_PREVIEWS_ROUTE = `${DASHBOARD_ROUTE}/vorschau/`

/**
 * A file in the trash has no public address. The two addresses below have no host, so browsers resolve them
 * against the address of the dashboard.
 */
export const TRASH_ROUTE = `${DASHBOARD_ROUTE}/papierkorb`
export const trashPreviewAddress = (nr: number) => `${TRASH_ROUTE}/vorschau/${nr}`
export const trashContentAddress = (nr: number) => `${TRASH_ROUTE}/inhalt/${nr}`

export function fileAddress(publicUrl: string, path: string): string {
  return `${publicUrl}${FILES_ROUTE}${path}`
}

export function previewAddress(publicUrl: string, path: string): string {
  return `${publicUrl}${PREVIEWS_ROUTE}${path}.webp`
}

/** `size`: the name of a size in `BILDGROESSEN`. */
export function pictureSizeAddress(publicUrl: string, size: string, path: string): string {
  return `${publicUrl}${PICTURE_SIZES_ROUTE}${size}/${path}`
}

export const shareAddress = (publicUrl: string, key: string) => `${publicUrl}${SHARE_ROUTE}${key}`

export const dropAddress = (publicUrl: string, key: string) => `${publicUrl}${DROP_ROUTE}${key}`

export const ticketAddress = (publicUrl: string, secret: string) => `${publicUrl}${TICKETS_ROUTE}/${secret}`

/** The public address of the service, but with the host name for files (`FILES_HOST`). */
export function filesHostAddress(publicUrl: string, filesHost: string): string {
  const url = new URL(publicUrl)
  url.hostname = filesHost
  return url.href.replace(/\/$/, '')
}

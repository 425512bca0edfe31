/** Builds the addresses of files. They are built for each response from the public address and stored nowhere. */

export const FILES_ROUTE = '/f/'
export const PREVIEWS_ROUTE = '/t/'

export function fileAddress(publicUrl: string, path: string): string {
  return `${publicUrl}${FILES_ROUTE}${path}`
}

export function previewAddress(publicUrl: string, path: string): string {
  return `${publicUrl}${PREVIEWS_ROUTE}${path}.webp`
}

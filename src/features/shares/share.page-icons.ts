/**
 * Icons for the share page: folders, kinds of files, the viewer's buttons, and the icon of the page itself.
 */
import type { Kind } from '../../contract/paths/kinds.ts'

const FOLDER_SHAPE = '<path d="M5 4h4l3 3h7a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2"/>'
const SHEET_SHAPE = '<path d="M14 3v5h5M17 21H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2z"/>'

const KIND_SHAPES: Readonly<Record<Kind, string>> = {
  bilder: '<rect x="3" y="4" width="18" height="16" rx="3"/><path d="m3 16 5-5 5 5 3-3 5 4M15 8.5h.01"/>',
  video: '<rect x="3" y="6" width="12" height="12" rx="2"/><path d="m15 10 6-3v10l-6-3z"/>',
  audio: '<circle cx="6" cy="17" r="3"/><circle cx="16" cy="17" r="3"/><path d="M9 17V5h10v12M9 9h10"/>',
  dokumente: `${SHEET_SHAPE}<path d="M9 12h6M9 16h6"/>`,
  sonstige: SHEET_SHAPE,
}

const svgIcon = (shape: string, size: number) =>
  `<svg viewBox="0 0 24 24" width="${size}" height="${size}" aria-hidden="true">${shape}</svg>`

const PAGE_ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1c5fb0"/><path d="M10 24V8h13v4h-8.5v3.2H22V19h-7.5v5z" fill="#fff"/></svg>'

const viewerIcon = (shape: string) => svgIcon(shape, 24)

/** Icons of the viewer's buttons, by action. */
export const viewerIcons = {
  zoom: viewerIcon('<path d="M10 4H4v6M20 10V4h-6M14 20h6v-6M4 14v6h6"/>'),
  copy: viewerIcon(
    '<rect x="8" y="8" width="12" height="12" rx="2"/><path d="M16 8V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h2"/>',
  ),
  save: viewerIcon('<path d="M12 4v11m-5-4 5 5 5-5M4 20h16"/>'),
  close: viewerIcon('<path d="m6 6 12 12M18 6 6 18"/>'),
  previous: viewerIcon('<path d="m15 5-7 7 7 7"/>'),
  next: viewerIcon('<path d="m9 5 7 7-7 7"/>'),
}

/**
 * The icon of the page. It is a `data:` URL, because the host of the page may serve only files and shares.
 */
export const pageIconUrl = `data:image/svg+xml,${encodeURIComponent(PAGE_ICON_SVG)}`
export const folderIcon = () => svgIcon(FOLDER_SHAPE, 20)
export const kindIcon = (kind: Kind) => svgIcon(KIND_SHAPES[kind], 48)

/** The German words on the page of a share link. */
import type { Kind } from '../paths/kinds.ts'

export const SHARE_PAGE_LANGUAGE = 'de'

export const SHARE_PAGE_WORDS = {
  heading: (folder: string) => `Ordner „${folder}“`,
  note: 'Freigegeben von',
  files: (count: number) => (count === 1 ? '1 Datei' : `${count.toLocaleString('de-DE')} Dateien`),
  folders: 'Unterordner',
  inFolderItself: 'Im Ordner selbst',
  empty: 'In diesem Ordner liegt zurzeit keine Datei.',
  nothingMore: 'Keine weiteren Dateien.',
  pages: 'Seiten',
  more: 'Weitere Dateien',
  start: 'Zum Anfang',
  length: 'Länge',
} as const

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  bilder: 'Bild',
  video: 'Video',
  audio: 'Audio',
  dokumente: 'Dokument',
  sonstige: 'Datei',
}

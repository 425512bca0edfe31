/** The UI texts on the page of a share link, in both languages. */

import type { Kind } from '../paths/kinds.ts'
import { LOCALES } from '../words/both-languages.ts'

type Language = 'de' | 'en'

interface SharePageTexts {
  heading: (folder: string) => string
  sharedBy: (service: string) => string
  fileCount: (count: number) => string
  availableUntil: (day: string) => string
  subfolders: string
  parentFolders: string
  inFolderItself: string
  noFilesInFolder: string
  noMoreFiles: string
  pageNavigation: string
  moreFiles: string
  backToStart: string
  lengthLabel: string
  downloadAsZip: string
  tooLargeForZip: (files: string, bytes: string) => string
  kinds: Readonly<Record<Kind, string>>
  /** Texts of the viewer, which shows one file; `#` is a placeholder. */
  viewer: {
    label: string
    close: string
    previous: string
    next: string
    zoom: string
    copy: string
    copied: string
    save: string
    open: string
    position: string
    failed: string
    noView: string
  }
}

export const SHARE_PAGE_TEXTS: Readonly<Record<Language, SharePageTexts>> = {
  de: {
    heading: folder => `Ordner „${folder}“`,
    sharedBy: service => `Freigegeben von ${service}`,
    fileCount: count => (count === 1 ? '1 Datei' : `${count.toLocaleString(LOCALES.de)} Dateien`),
    availableUntil: day => `abrufbar bis ${day} Uhr`,
    subfolders: 'Unterordner',
    parentFolders: 'Ordner darüber',
    inFolderItself: 'Im Ordner selbst',
    noFilesInFolder: 'In diesem Ordner liegt zurzeit keine Datei.',
    noMoreFiles: 'Keine weiteren Dateien.',
    pageNavigation: 'Seiten',
    moreFiles: 'Weitere Dateien',
    backToStart: 'Zum Anfang',
    lengthLabel: 'Länge',
    downloadAsZip: 'Alles als ZIP',
    tooLargeForZip: (files, bytes) =>
      `Für ein ZIP ist das zu viel: Es fasst höchstens ${files} Dateien und ${bytes}. Unterordner lassen sich einzeln laden.`,
    kinds: { bilder: 'Bild', video: 'Video', audio: 'Audio', dokumente: 'Dokument', sonstige: 'Datei' },
    viewer: {
      label: 'Ansicht',
      close: 'Schließen',
      previous: 'Vorige Datei',
      next: 'Nächste Datei',
      zoom: 'Volle Größe',
      copy: 'Adresse kopieren',
      copied: 'Adresse kopiert.',
      save: 'Herunterladen',
      open: 'Datei öffnen',
      position: '# von #',
      failed: 'Diese Datei lässt sich hier nicht zeigen.',
      noView: 'Für diese Datei gibt es keine Ansicht.',
    },
  },
  en: {
    heading: folder => `Folder “${folder}”`,
    sharedBy: service => `Shared by ${service}`,
    fileCount: count => (count === 1 ? '1 file' : `${count.toLocaleString(LOCALES.en)} files`),
    availableUntil: day => `available until ${day}`,
    subfolders: 'Subfolders',
    parentFolders: 'Folders above',
    inFolderItself: 'In the folder itself',
    noFilesInFolder: 'There are no files in this folder at the moment.',
    noMoreFiles: 'No more files.',
    pageNavigation: 'Pages',
    moreFiles: 'More files',
    backToStart: 'Back to the start',
    lengthLabel: 'Length',
    downloadAsZip: 'Everything as ZIP',
    tooLargeForZip: (files, bytes) =>
      `This is too much for one ZIP: it holds up to ${files} files and ${bytes}. Subfolders can be downloaded one by one.`,
    kinds: { bilder: 'Picture', video: 'Video', audio: 'Audio', dokumente: 'Document', sonstige: 'File' },
    viewer: {
      label: 'Viewer',
      close: 'Close',
      previous: 'Previous file',
      next: 'Next file',
      zoom: 'Full size',
      copy: 'Copy address',
      copied: 'Address copied.',
      save: 'Download',
      open: 'Open file',
      position: '# of #',
      failed: 'This file cannot be shown here.',
      noView: 'There is no view for this file.',
    },
  },
}

/** The UI texts on the page of a drop link, in both languages. */
import type { Kind } from '../paths/kinds.ts'

type KindNames = Readonly<Record<Kind, string>>

interface DropPageTexts {
  heading: string
  recipient: (service: string) => string
  kinds: (list: string) => string
  kindNames: KindNames
  maxSize: (size: string) => string
  /** `time` and the result are HTML. */
  deadline: (time: string) => string
  noMoreAccepted: string
  dropHere: string
  chooseFiles: string
  takePhoto: string
  filesHandedIn: string
  noScript: string
  /** Texts for the script of the page, which replaces `#` by a value. */
  script: {
    waiting: string
    sending: string
    done: string
    failed: string
    again: string
    thanksOne: string
    thanksMany: string
    someRefused: string
    tooLarge: string
  }
}

export const DROP_PAGE_TEXTS: Readonly<Record<'de' | 'en', DropPageTexts>> = {
  de: {
    heading: 'Dateien abgeben',
    recipient: service => `Die Dateien gehen an: ${service}`,
    kinds: list => `Angenommen werden: ${list}.`,
    kindNames: {
      bilder: 'Bilder',
      video: 'Videos',
      audio: 'Tonaufnahmen',
      dokumente: 'Dokumente',
      sonstige: 'andere Dateien',
    },
    maxSize: size => `Jede Datei darf höchstens ${size} groß sein.`,
    deadline: time => `Möglich bis ${time} Uhr.`,
    noMoreAccepted: 'Hier werden keine Dateien mehr angenommen: alle erwarteten sind abgegeben.',
    dropHere: 'Dateien hierher ziehen oder',
    chooseFiles: 'Dateien auswählen',
    takePhoto: 'Foto aufnehmen',
    filesHandedIn: 'Abgegebene Dateien',
    noScript: 'Zum Abgeben von Dateien muss JavaScript eingeschaltet sein.',
    script: {
      waiting: 'wartet',
      sending: '# %',
      done: 'abgegeben',
      failed: 'Die Verbindung ist abgebrochen.',
      again: 'Erneut versuchen',
      thanksOne: 'Danke! Die Datei ist angekommen.',
      thanksMany: 'Danke! # Dateien sind angekommen.',
      someRefused: 'Nicht angenommen: #.',
      tooLarge: 'Die Datei ist größer als die hier erlaubten #.',
    },
  },
  en: {
    heading: 'Hand in files',
    recipient: service => `The files go to: ${service}`,
    kinds: list => `Accepted: ${list}.`,
    kindNames: {
      bilder: 'pictures',
      video: 'videos',
      audio: 'audio',
      dokumente: 'documents',
      sonstige: 'other files',
    },
    maxSize: size => `Each file may have up to ${size}.`,
    deadline: time => `Possible until ${time}.`,
    noMoreAccepted: 'No more files are accepted here: everything that was expected has been handed in.',
    dropHere: 'Drop files here or',
    chooseFiles: 'Choose files',
    takePhoto: 'Take a photo',
    filesHandedIn: 'Files handed in',
    noScript: 'Handing in files needs JavaScript.',
    script: {
      waiting: 'waiting',
      sending: '# %',
      done: 'handed in',
      failed: 'The connection was interrupted.',
      again: 'Try again',
      thanksOne: 'Thank you! The file has arrived.',
      thanksMany: 'Thank you! # files have arrived.',
      someRefused: 'Not accepted: #.',
      tooLarge: 'The file is larger than the # allowed here.',
    },
  },
}

/** The codes of refusals for which the English page has its own sentences; the service sends German ones. */
export const DROP_PAGE_CODES = [
  'drop-absent',
  'drop-full',
  'drop-kind-forbidden',
  'drop-file-too-large',
  'drops-crowded',
  'upload-too-large',
  'file-empty',
  'path-taken',
  'path-invalid',
  'form-broken',
  'body-cut',
  'request-slow',
  'storage-full',
  'connections-crowded',
] as const

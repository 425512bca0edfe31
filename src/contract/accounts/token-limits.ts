/**
 * The limits of a token, each spelled once. Routes, store, command, history, API document and dashboard walk
 * through this table, in its order; how a value is checked, stored, typed and shown depends on its kind only.
 */
import type { Kind } from '../paths/kinds.ts'

/** The value of a limit, by its kind. Null: no such limit. */
export interface LimitValues {
  /** A path with its final `/`. */
  folder: string | null
  right: boolean
  /** In bytes. */
  size: number | null
  /** A whole number above zero. */
  number: number | null
  kinds: readonly Kind[] | null
  /** In Unix milliseconds. */
  time: number | null
  /** Null: as a setting says. */
  choice: boolean | null
}
export type LimitKind = keyof LimitValues

interface Words {
  de: string
  en: string
}

/** `#` stands for the value. */
interface Common {
  wire: string
  /** Of a token in the code, and in `fundus token list --json`. */
  property: string
  column: string
  /** Of `fundus token create`, with its line in the help. */
  option: string
  help: Words
  /** In `fundus token list`. */
  listed: Words
  /** In the form of the dashboard. */
  place: number
  label: Words
  hint: Words
  history: Words
  /** In the API document. */
  description?: Words
}

/** `card`: on the token's card, where `facts.tsx` has no line of its own for the limit. */
type ByKind =
  | { kind: 'folder' | 'kinds' | 'time' }
  | { kind: 'size'; unit: 'MB' | 'GB'; card?: Words }
  | { kind: 'number'; unit: Words; card: Words }
  | { kind: 'right'; listedNo: Words }
  | {
      kind: 'choice'
      listedNo: Words
      choices: { none: Words; yes: Words; no: Words }
      card: Words
      cardNo: Words
    }

export type LimitRow = Common & ByKind

export const TOKEN_LIMITS = [
  {
    wire: 'praefix',
    property: 'prefix',
    column: 'prefix',
    option: 'prefix',
    kind: 'folder',
    help: {
      de: 'darf nur darunter schreiben, zum Beispiel items/',
      en: 'may write only below it, for example items/',
    },
    listed: { de: 'nur unter #', en: 'only below #' },
    place: 1,
    label: { de: 'Ordner', en: 'Folder' },
    hint: {
      de: 'Nur darunter darf es schreiben. Leer: überall.',
      en: 'It may write only under this folder. Empty: everywhere.',
    },
    history: { de: 'nur unter #', en: 'only under #' },
  },
  {
    wire: 'darf_loeschen',
    property: 'mayDelete',
    column: 'may_delete',
    option: 'may-delete',
    kind: 'right',
    help: { de: 'darf auch löschen', en: 'may delete, too' },
    listed: { de: 'darf löschen', en: 'may delete' },
    listedNo: { de: 'darf nicht löschen', en: 'may not delete' },
    place: 2,
    label: { de: 'Darf löschen', en: 'May delete' },
    hint: {
      de: 'Endgültig, ohne Papierkorb. Hochladen und Überschreiben geht auch ohne.',
      en: 'For good, without the trash. Uploading and overwriting works without it.',
    },
    history: { de: 'darf löschen', en: 'may delete' },
  },
  {
    wire: 'max_datei',
    property: 'maxFile',
    column: 'max_file',
    option: 'max-file',
    kind: 'size',
    unit: 'MB',
    help: { de: 'größte einzelne Datei', en: 'largest single file' },
    listed: { de: 'Datei bis #', en: 'files up to #' },
    place: 4,
    label: { de: 'Größte Datei', en: 'Largest file' },
    hint: { de: 'Was größer ist, wird abgelehnt.', en: 'Anything larger is refused.' },
    card: { de: 'jede Datei höchstens #', en: 'each file at most #' },
    history: { de: 'größte Datei #', en: 'largest file #' },
  },
  {
    wire: 'kontingent',
    property: 'quota',
    column: 'quota',
    option: 'quota',
    kind: 'size',
    unit: 'GB',
    help: { de: 'so viel darf es insgesamt belegen', en: 'so much it may take altogether' },
    listed: { de: 'zusammen bis #', en: 'up to # altogether' },
    place: 3,
    label: { de: 'Kontingent', en: 'Quota' },
    hint: {
      de: 'So viel dürfen seine Dateien zusammen belegen.',
      en: 'How much its files may take up in total.',
    },
    history: { de: 'höchstens #', en: 'at most #' },
  },
  {
    wire: 'arten',
    property: 'kinds',
    column: 'kinds',
    option: 'kinds',
    kind: 'kinds',
    help: { de: 'nur diese Arten: #', en: 'only these kinds: #' },
    listed: { de: 'nur #', en: 'only #' },
    place: 8,
    label: { de: 'Arten', en: 'Kinds' },
    hint: {
      de: 'Nur diese werden angenommen. Nichts gewählt: alle.',
      en: 'Only these are accepted. None chosen: all.',
    },
    history: { de: 'nur #', en: 'only #' },
  },
  {
    wire: 'gueltig_bis',
    property: 'validUntil',
    column: 'valid_until',
    option: 'valid-until',
    kind: 'time',
    help: {
      de: 'gilt bis dahin, zum Beispiel 2027-01-31 oder 2027-01-31T18:00',
      en: 'valid until then, for example 2027-01-31 or 2027-01-31T18:00',
    },
    listed: { de: 'gilt bis #', en: 'valid until #' },
    place: 6,
    label: { de: 'Gültig bis', en: 'Valid until' },
    hint: {
      de: 'Bis zum Ende dieses Tages; danach wird es abgelehnt.',
      en: 'Until the end of this day; refused afterwards.',
    },
    history: { de: 'gültig bis #', en: 'valid until #' },
  },
  {
    wire: 'max_kante',
    property: 'maxEdge',
    column: 'max_edge',
    option: 'max-edge',
    kind: 'number',
    unit: { de: 'Pixel', en: 'pixels' },
    help: { de: 'größere Bilder werden verkleinert', en: 'larger pictures are made smaller' },
    listed: { de: 'Bilder bis # Pixel', en: 'pictures up to # pixels' },
    place: 5,
    label: { de: 'Längste Kante', en: 'Longest edge' },
    hint: {
      de: 'Größere Bilder werden beim Hochladen verkleinert.',
      en: 'Larger pictures are scaled down on upload.',
    },
    card: {
      de: 'größere Bilder werden auf # Pixel verkleinert',
      en: 'larger pictures are scaled down to # pixels',
    },
    history: { de: 'längste Kante # px', en: 'longest edge # px' },
  },
  {
    wire: 'exif_entfernen',
    property: 'stripMetadata',
    column: 'strip_metadata',
    option: 'strip-exif',
    kind: 'choice',
    help: {
      de: 'Orts- und Kameradaten aus Bildern entfernen; sonst gilt EXIF_ENTFERNEN',
      en: 'remove place and camera data from pictures; otherwise EXIF_ENTFERNEN counts',
    },
    listed: { de: 'Orts- und Kameradaten werden entfernt', en: 'place and camera data are removed' },
    listedNo: { de: 'Orts- und Kameradaten werden behalten', en: 'place and camera data are kept' },
    place: 7,
    label: { de: 'Orts- und Kameradaten', en: 'Location and camera data' },
    hint: {
      de: 'Was Kameras in JPEG, PNG und WebP schreiben.',
      en: 'What cameras write into JPEG, PNG and WebP.',
    },
    choices: {
      none: { de: 'Wie in den Einstellungen', en: 'As in the settings' },
      yes: { de: 'Entfernen', en: 'Remove' },
      no: { de: 'Behalten', en: 'Keep' },
    },
    card: { de: 'Orts- und Kameradaten werden entfernt', en: 'location and camera data are removed' },
    cardNo: { de: 'Orts- und Kameradaten bleiben', en: 'location and camera data stay' },
    history: { de: 'Ortsdaten entfernen: #', en: 'remove location data: #' },
    description: {
      de: 'Orts- und Kameradaten aus Bildern entfernen; null: wie die Einstellung EXIF_ENTFERNEN',
      en: 'Remove place and camera data from pictures; null: as the setting EXIF_ENTFERNEN',
    },
  },
] as const satisfies readonly LimitRow[]

type Limit = (typeof TOKEN_LIMITS)[number]
export type LimitName = Limit['wire']

/** The limits by their names on the wire. */
export type LimitsOnWire = { [L in Limit as L['wire']]: LimitValues[L['kind']] }
/** The limits as handlers see them. */
export type Limits = { [L in Limit as L['property']]: LimitValues[L['kind']] }

interface ColumnValues {
  folder: string | null
  right: number
  size: number | null
  number: number | null
  /** A JSON list. */
  kinds: string | null
  time: number | null
  choice: number | null
}
export type LimitColumns = { [L in Limit as L['column']]: ColumnValues[L['kind']] }

/** An object with a value for each limit, under its name on the wire. */
export const byName = <Value>(make: (limit: Limit) => Value) =>
  Object.fromEntries(TOKEN_LIMITS.map(limit => [limit.wire, make(limit)])) as Record<LimitName, Value>

/** Puts the value in the place of `#`. */
export const withValue = (text: string, value: string) => text.replace('#', () => value)

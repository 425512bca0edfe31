/**
 * The limits and rights of a token, both called limits here, each defined once. Routes, store, command,
 * history, API document and dashboard iterate over these tables. How a value is checked, stored, entered and
 * shown depends only on its type (`kind`).
 */
import type { Kind } from '../paths/kinds.ts'
import type { BilingualText } from '../words/both-languages.ts'

/**
 * The keys are the names on the wire, in the order of answers, help and history. `field`: the name in code
 * and in `token list --json`. `column`: in the database. `option`: of the command `token create`.
 */
const LIMITS = {
  praefix: { field: 'prefix', column: 'prefix', option: 'prefix', kind: 'folder' },
  darf_loeschen: { field: 'mayDelete', column: 'may_delete', option: 'may-delete', kind: 'right' },
  max_datei: { field: 'maxFile', column: 'max_file', option: 'max-file', kind: 'size' },
  kontingent: { field: 'quota', column: 'quota', option: 'quota', kind: 'size' },
  arten: { field: 'kinds', column: 'kinds', option: 'kinds', kind: 'kinds' },
  gueltig_bis: { field: 'validUntil', column: 'valid_until', option: 'valid-until', kind: 'time' },
  max_kante: { field: 'maxEdge', column: 'max_edge', option: 'max-edge', kind: 'number' },
  exif_entfernen: { field: 'stripMetadata', column: 'strip_metadata', option: 'strip-exif', kind: 'choice' },
  ueberschriebene_behalten: {
    field: 'keepReplaced',
    column: 'keep_replaced',
    option: 'keep-replaced',
    kind: 'choice',
  },
  darf_lesen: { field: 'mayRead', column: 'may_read', option: 'may-read', kind: 'right' },
} as const satisfies Record<string, { field: string; column: string; option: string; kind: LimitKind }>

/** The values of limits, by type. Null: the token has no such limit. */
export interface LimitValues {
  /** A path with its final `/`. */
  folder: string | null
  right: boolean
  /** Bytes. */
  size: number | null
  /** A whole number above zero. */
  number: number | null
  kinds: readonly Kind[] | null
  /** Unix milliseconds. */
  time: number | null
  /** Null: the setting of the service applies. */
  choice: boolean | null
}
export type LimitKind = keyof LimitValues

interface ColumnValues extends Omit<LimitValues, 'right' | 'kinds' | 'choice'> {
  right: number
  /** The list of kinds as JSON text. */
  kinds: string | null
  choice: number | null
}

type Limits = typeof LIMITS
export type LimitName = keyof Limits
/** Maps the name of each limit to the type that `TypeByKind` has for the `kind` of the limit. */
export type ByLimitName<TypeByKind extends Record<LimitKind, unknown>> = {
  [N in LimitName]: TypeByKind[Limits[N]['kind']]
}
export type LimitsOnWire = ByLimitName<LimitValues>
/** The limits of a token, under their names in code. */
export type LimitFields = { [N in LimitName as Limits[N]['field']]: LimitValues[Limits[N]['kind']] }
export type LimitColumns = { [N in LimitName as Limits[N]['column']]: ColumnValues[Limits[N]['kind']] }

interface LimitTexts {
  /** Help for the option of `fundus token create` that sets this limit. */
  help: BilingualText
  /** Text in `fundus token list`; if the value is false, `listTextIfFalse` is used instead. */
  listText: BilingualText
  listTextIfFalse?: BilingualText
  label: BilingualText
  hint: BilingualText
  /** The unit of a number, such as pixels. */
  unit?: BilingualText
  /** The unit in which a size is entered; MB by default. */
  inputUnit?: 'MB' | 'GB'
  choices?: { none: BilingualText; yes: BilingualText; no: BilingualText }
  /**
   * Text on the token's card in the dashboard; missing for limits that `pages/tokens/token-details.tsx` shows
   * in another way. For a right, the card shows the text only if the token has the right.
   */
  cardText?: BilingualText
  cardTextIfFalse?: BilingualText
  historyText: BilingualText
  /** Description in the API document. */
  description?: BilingualText
}

/**
 * The texts of each limit, in the order of the dashboard's form. `#` stands for the value of the limit, but
 * in `help` for the list of all kinds.
 */
const LIMIT_TEXTS: Readonly<Record<LimitName, LimitTexts>> = {
  praefix: {
    help: {
      de: 'darf nur darunter schreiben, zum Beispiel items/',
      en: 'may write only below it, for example items/',
    },
    listText: { de: 'nur unter #', en: 'only below #' },
    label: { de: 'Ordner', en: 'Folder' },
    hint: {
      de: 'Nur darunter darf es schreiben. Leer: überall.',
      en: 'It may write only under this folder. Empty: everywhere.',
    },
    historyText: { de: 'nur unter #', en: 'only under #' },
  },
  darf_loeschen: {
    help: { de: 'darf auch löschen', en: 'may delete, too' },
    listText: { de: 'darf löschen', en: 'may delete' },
    listTextIfFalse: { de: 'darf nicht löschen', en: 'may not delete' },
    label: { de: 'Darf löschen', en: 'May delete' },
    hint: {
      de: 'Endgültig, ohne Papierkorb. Hochladen und Überschreiben geht auch ohne.',
      en: 'For good, without the trash. Uploading and overwriting works without it.',
    },
    historyText: { de: 'darf löschen', en: 'may delete' },
  },
  darf_lesen: {
    help: { de: 'darf Dateien auflisten und suchen', en: 'may list and search files' },
    listText: { de: 'darf Dateien auflisten', en: 'may list files' },
    listTextIfFalse: { de: 'darf keine Dateien auflisten', en: 'may not list files' },
    label: { de: 'Darf auflisten', en: 'May list' },
    hint: {
      de: 'Dateien unter seinem Ordner auflisten und suchen. Herunterladen kann sie ohnehin, wer ihre Adresse kennt.',
      en: 'List and search files under its folder. Anyone who knows an address can download the file anyway.',
    },
    cardText: { de: 'darf Dateien auflisten', en: 'may list files' },
    historyText: { de: 'darf auflisten', en: 'may list' },
    description: {
      de: 'Recht, mit GET /api/dateien aufzulisten, was unter dem Präfix liegt',
      en: 'Right to list what is below the prefix, with GET /api/dateien',
    },
  },
  kontingent: {
    inputUnit: 'GB',
    help: { de: 'so viel darf es insgesamt belegen', en: 'so much it may take altogether' },
    listText: { de: 'zusammen bis #', en: 'up to # altogether' },
    label: { de: 'Kontingent', en: 'Quota' },
    hint: {
      de: 'So viel dürfen seine Dateien zusammen belegen.',
      en: 'How much its files may take up in total.',
    },
    historyText: { de: 'höchstens #', en: 'at most #' },
  },
  max_datei: {
    help: { de: 'größte einzelne Datei', en: 'largest single file' },
    listText: { de: 'Datei bis #', en: 'files up to #' },
    label: { de: 'Größte Datei', en: 'Largest file' },
    hint: { de: 'Was größer ist, wird abgelehnt.', en: 'Anything larger is refused.' },
    cardText: { de: 'jede Datei höchstens #', en: 'each file at most #' },
    historyText: { de: 'größte Datei #', en: 'largest file #' },
  },
  max_kante: {
    unit: { de: 'Pixel', en: 'pixels' },
    help: { de: 'größere Bilder werden verkleinert', en: 'larger pictures are made smaller' },
    listText: { de: 'Bilder bis # Pixel', en: 'pictures up to # pixels' },
    label: { de: 'Längste Kante', en: 'Longest edge' },
    hint: {
      de: 'Größere Bilder werden beim Hochladen verkleinert.',
      en: 'Larger pictures are scaled down on upload.',
    },
    cardText: {
      de: 'größere Bilder werden auf # Pixel verkleinert',
      en: 'larger pictures are scaled down to # pixels',
    },
    historyText: { de: 'längste Kante # px', en: 'longest edge # px' },
  },
  gueltig_bis: {
    help: {
      de: 'gilt bis dahin, zum Beispiel 2027-01-31 oder 2027-01-31T18:00',
      en: 'valid until then, for example 2027-01-31 or 2027-01-31T18:00',
    },
    listText: { de: 'gilt bis #', en: 'valid until #' },
    label: { de: 'Gültig bis', en: 'Valid until' },
    hint: {
      de: 'Bis zum Ende dieses Tages; danach wird es abgelehnt.',
      en: 'Until the end of this day; refused afterwards.',
    },
    historyText: { de: 'gültig bis #', en: 'valid until #' },
  },
  exif_entfernen: {
    help: {
      de: 'Orts- und Kameradaten aus Bildern entfernen; sonst gilt EXIF_ENTFERNEN',
      en: 'remove place and camera data from pictures; otherwise EXIF_ENTFERNEN counts',
    },
    listText: { de: 'Orts- und Kameradaten werden entfernt', en: 'place and camera data are removed' },
    listTextIfFalse: { de: 'Orts- und Kameradaten werden behalten', en: 'place and camera data are kept' },
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
    cardText: { de: 'Orts- und Kameradaten werden entfernt', en: 'location and camera data are removed' },
    cardTextIfFalse: { de: 'Orts- und Kameradaten bleiben', en: 'location and camera data stay' },
    historyText: { de: 'Ortsdaten entfernen: #', en: 'remove location data: #' },
    description: {
      de: 'Orts- und Kameradaten aus Bildern entfernen; null: wie die Einstellung EXIF_ENTFERNEN',
      en: 'Remove place and camera data from pictures; null: as the setting EXIF_ENTFERNEN',
    },
  },
  ueberschriebene_behalten: {
    help: {
      de: 'was es überschreibt, kommt in den Papierkorb; sonst gilt UEBERSCHRIEBENE',
      en: 'files that it overwrites go to the trash; otherwise UEBERSCHRIEBENE applies',
    },
    listText: { de: 'Überschriebenes kommt in den Papierkorb', en: 'overwritten files go to the trash' },
    listTextIfFalse: { de: 'Überschriebenes wird nicht behalten', en: 'overwritten files are not kept' },
    label: { de: 'Überschriebene Dateien', en: 'Overwritten files' },
    hint: {
      de: 'Ob die Datei, die es ersetzt, im Papierkorb bleibt.',
      en: 'Whether the file that it replaces stays in the trash.',
    },
    choices: {
      none: { de: 'Wie in den Einstellungen', en: 'As in the settings' },
      yes: { de: 'In den Papierkorb', en: 'Move to the trash' },
      no: { de: 'Nicht behalten', en: 'Do not keep' },
    },
    cardText: { de: 'Überschriebenes kommt in den Papierkorb', en: 'overwritten files go to the trash' },
    cardTextIfFalse: { de: 'Überschriebenes wird nicht behalten', en: 'overwritten files are not kept' },
    historyText: { de: 'Überschriebenes behalten: #', en: 'keep overwritten files: #' },
    description: {
      de: 'Überschriebene Dateien in den Papierkorb legen; null: wie die Einstellung UEBERSCHRIEBENE',
      en: 'Move overwritten files to the trash; null: as the setting UEBERSCHRIEBENE',
    },
  },
  arten: {
    help: { de: 'nur diese Arten: #', en: 'only these kinds: #' },
    listText: { de: 'nur #', en: 'only #' },
    label: { de: 'Arten', en: 'Kinds' },
    hint: {
      de: 'Nur diese werden angenommen. Nichts gewählt: alle.',
      en: 'Only these are accepted. None chosen: all.',
    },
    historyText: { de: 'nur #', en: 'only #' },
  },
}

const limitsInOrderOf = (table: object) =>
  (Object.keys(table) as LimitName[]).map(wireName => ({
    wireName,
    ...LIMITS[wireName],
    ...LIMIT_TEXTS[wireName],
  }))

export const TOKEN_LIMITS = limitsInOrderOf(LIMITS)
export const LIMITS_IN_FORM = limitsInOrderOf(LIMIT_TEXTS)
export type TokenLimit = (typeof TOKEN_LIMITS)[number]

/** Returns an object with the result of `createValue` for each limit, under the limit's name on the wire. */
export const byLimitName = <Value>(createValue: (limit: TokenLimit) => Value) =>
  Object.fromEntries(TOKEN_LIMITS.map(limit => [limit.wireName, createValue(limit)])) as Record<
    LimitName,
    Value
  >

/** The limits of a token that has no limit and no right. */
export const NO_LIMITS = Object.fromEntries(
  TOKEN_LIMITS.map(({ field, kind }) => [field, kind === 'right' ? false : null]),
) as LimitFields

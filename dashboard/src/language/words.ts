/**
 * Texts in both languages: `defineWords({ save: { de: 'Speichern', en: 'Save' } })`. A text with values is a
 * function: `filled` inserts values, `plural` distinguishes one from many. A missing or differently shaped
 * English text is a type error.
 */
export const LANGUAGES = ['de', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

// biome-ignore lint/suspicious/noExplicitAny: each text has its own parameters
export type UiText = string | ((...values: any[]) => string)
/** The type of the English text: any string, or a function that takes the same values as the German one. */
type SameShape<T> = T extends string ? string : T

type CommonWords = { readonly [K in keyof typeof COMMON_WORDS]: SameShape<(typeof COMMON_WORDS)[K]['de']> }
/** The texts of one `defineWords` call in one language, together with the common texts. */
export type WordsIn<T extends Record<string, UiText>> = { readonly [K in keyof T]: SameShape<T[K]> } & Omit<
  CommonWords,
  keyof T
>
export type Words<T extends Record<string, UiText>> = Readonly<Record<Language, WordsIn<T>>>

type TextPairs = Readonly<Record<string, Readonly<Record<Language, unknown>>>>

const textsIn = (pairs: TextPairs, language: Language) =>
  Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, pair[language]]))

export function defineWords<T extends Record<string, UiText>>(
  pairs: {
    [K in keyof T]: { de: T[K]; en: SameShape<NoInfer<T[K]>> }
  },
): Words<T> {
  // The common texts are the prototype, so that listing the keys of a result gives only its own texts.
  const wordsOf = (language: Language) =>
    Object.assign(Object.create(commonTexts[language]), textsIn(pairs, language)) as WordsIn<T>
  return { de: wordsOf('de'), en: wordsOf('en') }
}

type Value = string | number
/** A tuple with one value for each `#` of the text. */
type Values<T extends string> = T extends `${string}#${infer Rest}` ? [Value, ...Values<Rest>] : []

/**
 * Replaces each `#` by a value. A text with fewer `#` than values uses the last values: given a count and a
 * size, „1 Datei · #“ shows only the size.
 */
const insertValues = (text: string, values: readonly Value[]) => {
  const remainingValues = values.slice(1 - text.split('#').length).values()
  return text.replaceAll('#', () => String(remainingValues.next().value))
}

/**
 * A text in which each `#` is replaced by a value: `into: filled({ de: 'Nach #', en: 'Into #' })`, then
 * `w.into(folder)`.
 */
export const filled = <const De extends string>({ de, en }: { de: De; en: string }) => ({
  de: (...values: Values<De>) => insertValues(de, values),
  en: (...values: Values<De>) => insertValues(en, values),
})

type OneAndMany<Many extends string> = readonly [one: string, many: Many]

/**
 * One text for a count of one, and one for all other counts: `w.files(count, format.number(count))`. The
 * formatted number is the first value; the text for one may omit it.
 */
export const plural = <const De extends string>({
  de,
  en,
}: {
  de: OneAndMany<De>
  en: OneAndMany<string>
}) => ({
  de: (count: number, ...values: Values<De>) => insertValues(count === 1 ? de[0] : de[1], values),
  en: (count: number, ...values: Values<De>) => insertValues(count === 1 ? en[0] : en[1], values),
})

/** UI texts that many components share. Every result of `defineWords` contains them too. */
export const COMMON_WORDS = {
  accounts: { de: 'Konten', en: 'Accounts' },
  address: { de: 'Adresse', en: 'Address' },
  all: { de: 'Alle', en: 'All' },
  andMore: filled({ de: 'und # weitere', en: 'and # more' }),
  backup: { de: 'Sicherung', en: 'Backup' },
  cancel: { de: 'Abbrechen', en: 'Cancel' },
  chooseFiles: { de: 'Dateien wählen', en: 'Choose files' },
  close: { de: 'Schließen', en: 'Close' },
  copyAddress: { de: 'Adresse kopieren', en: 'Copy address' },
  copyAddresses: { de: 'Adressen kopieren', en: 'Copy addresses' },
  copySum: { de: 'SHA-256 kopieren', en: 'Copy SHA-256' },
  details: { de: 'Einzelheiten', en: 'Details' },
  dimensions: { de: 'Maße', en: 'Dimensions' },
  download: { de: 'Herunterladen', en: 'Download' },
  emptyValue: { de: 'leer', en: 'empty' },
  everywhere: { de: 'Überall', en: 'Everywhere' },
  files: { de: 'Dateien', en: 'Files' },
  filesCounted: plural({ de: ['1 Datei', '# Dateien'], en: ['1 file', '# files'] }),
  folder: { de: 'Ordner', en: 'Folder' },
  folderPlaceholder: { de: 'etwa items', en: 'such as items' },
  folders: { de: 'Ordner', en: 'Folders' },
  fromAddress: { de: 'Von einer Adresse holen', en: 'Fetch from an address' },
  gone: { de: 'Diese Datei gibt es hier nicht mehr.', en: 'This file is no longer here.' },
  history: { de: 'Verlauf', en: 'History' },
  inFolder: filled({ de: 'In „#“', en: 'In “#”' }),
  kind: { de: 'Art', en: 'Kind' },
  kinds: { de: 'Arten', en: 'Kinds' },
  limits: { de: 'Grenzen', en: 'Limits' },
  missingFiles: { de: 'Fehlende Dateien', en: 'Missing files' },
  more: { de: 'Mehr', en: 'More' },
  name: { de: 'Benutzername', en: 'User name' },
  never: { de: 'noch nie', en: 'never' },
  next: { de: 'Nächste Datei', en: 'Next file' },
  noPreview: { de: 'Keine Vorschau', en: 'No preview' },
  ofTotal: filled({ de: '# von #', en: '# of #' }),
  openAddress: { de: 'In neuem Fenster öffnen', en: 'Open in a new window' },
  ownAccount: { de: 'Eigenes Konto', en: 'Your account' },
  overview: { de: 'Übersicht', en: 'Overview' },
  pages: { de: 'Seiten', en: 'Pages' },
  preview: { de: 'Vorschau', en: 'Preview' },
  previous: { de: 'Vorige Datei', en: 'Previous file' },
  reload: { de: 'Neu laden', en: 'Reload' },
  rename: { de: 'Umbenennen', en: 'Rename' },
  replace: { de: 'Suchen und Ersetzen', en: 'Search and replace' },
  restore: { de: 'Wiederherstellen', en: 'Restore' },
  resume: { de: 'Fortsetzen', en: 'Resume' },
  retention: { de: 'Fristen', en: 'Retention' },
  retrievals: { de: 'Abrufe', en: 'Views' },
  save: { de: 'Speichern', en: 'Save' },
  select: filled({ de: '# auswählen', en: 'Select #' }),
  selection: { de: 'Auswahl', en: 'Selection' },
  settings: { de: 'Einstellungen', en: 'Settings' },
  shares: { de: 'Freigaben', en: 'Shares' },
  size: { de: 'Größe', en: 'Size' },
  statistics: { de: 'Statistik', en: 'Statistics' },
  stop: { de: 'Anhalten', en: 'Stop' },
  toFiles: { de: 'Zu den Dateien', en: 'Go to the files' },
  token: { de: 'Token', en: 'Token' },
  tokens: { de: 'Tokens', en: 'Tokens' },
  top: { de: 'Alle Dateien', en: 'All files' },
  toSettings: { de: 'Zu den Einstellungen', en: 'Go to the settings' },
  trash: { de: 'Papierkorb', en: 'Trash' },
  unknown: { de: 'unbekannt', en: 'unknown' },
  upkeep: { de: 'Wartung', en: 'Maintenance' },
  upload: { de: 'Hochladen', en: 'Upload' },
  withdraw: { de: 'Widerrufen', en: 'Revoke' },
} as const

const commonTexts = { de: textsIn(COMMON_WORDS, 'de'), en: textsIn(COMMON_WORDS, 'en') }

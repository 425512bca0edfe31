/**
 * The format of a backup archive: a tar that ordinary tools unpack. Its entries, in this order:
 *
 *     manifest.json                 describes the archive, and says where `pruefsummen.sha256` begins
 *     datenbank/<table>.jsonl       the rows of each saved table, one JSON object per line
 *     dateien.sha256                the SHA-256 of each file, named `dateien/…` or `papierkorb/…` as below
 *     pruefsummen.sha256            the SHA-256 of each entry above, as `sha256sum -c` reads it
 *
 * The contents of the files are stored beside the archive, each once, as
 * `bestand/<first two digits>/<sha256>` (in an encrypted bucket with the suffix `.age`). A whole archive
 * (format 1: written by earlier versions, and sent as a download) contains the files instead of
 * `dateien.sha256`:
 *
 *     dateien/<path>                every file under its path, changed if some systems cannot unpack it
 *     papierkorb/<number>/<name>    every file in the trash
 *
 * An archive that has only rows (`nur_liste`) has neither. Decisions 0014 and 0041 give the reasons.
 */
import { z } from 'zod'

export const WHOLE_ARCHIVE_FORMAT = 1
export const ARCHIVE_FORMAT = 2

export const MANIFEST_ENTRY = 'manifest.json'
export const CHECKSUMS_ENTRY = 'pruefsummen.sha256'
export const FILE_LIST_ENTRY = 'dateien.sha256'
export const ARCHIVE_TABLE_FOLDER = 'datenbank/'
export const ARCHIVE_FILE_FOLDER = 'dateien/'
export const ARCHIVE_TRASH_FOLDER = 'papierkorb/'

/** A line in the format of `sha256sum`. No name in an archive needs escaping. */
export const checksumLine = (sha256: string, name: string) => `${sha256}  ${name}\n`

/** Parses a line, without its line end, that `checksumLine` has made; null if it has another format. */
export function parseChecksumLine(line: string): { sha256: string; name: string } | null {
  const sha256 = line.slice(0, 64)
  return isSha256(sha256) && line.startsWith('  ', 64) ? { sha256, name: line.slice(66) } : null
}

export const isSha256 = (text: string) => /^[0-9a-f]{64}$/.test(text)

export const tableEntry = (table: string) => `${ARCHIVE_TABLE_FOLDER}${table}.jsonl`

/**
 * The field that an archive adds to each row of `media` and `trash`: the name of the file, as in
 * `dateien.sha256`.
 */
export const FILE_FIELD_OF_ROW = 'datei'

/**
 * Length of the manifest in bytes. It is the first entry of the archive but written last, so it is padded
 * with spaces to this fixed length.
 */
export const MANIFEST_BYTES = 64 * 1024
/**
 * Maximum number of missing files (`fehlend`), and of altered files (`veraendert`), that the manifest lists
 * by name (`namen`). `anzahl` counts all of them.
 */
export const MAX_MANIFEST_NAMES = 100

const countSchema = z.int().nonnegative()

export const manifestSchema = z.object({
  format: z.literal([WHOLE_ARCHIVE_FORMAT, ARCHIVE_FORMAT]),
  dienst: z.string(),
  version: z.string(),
  /** When the archive was begun, just before the database was read, in Unix milliseconds. */
  zeit: z.int(),
  /** The names of all migrations of the version that wrote the archive. */
  schema: z.array(z.string()),
  tabellen: z.record(z.string(), countSchema),
  /** The last row number that each of the numbered tables (`NUMBERED_TABLES`) has assigned. */
  zaehler: z.record(z.string(), countSchema),
  dateien: countSchema,
  papierkorb: countSchema,
  /** Total bytes of all saved contents, including those of files in the trash. */
  bytes: countSchema,
  /**
   * True if only rows were saved: the contents stay in the object store, and the operator has to make copies
   * of that store.
   */
  nur_liste: z.literal(true).optional(),
  fehlend: z.object({ anzahl: countSchema, namen: z.array(z.string()) }),
  veraendert: z.object({ anzahl: countSchema, namen: z.array(z.string()) }),
  /** Offset in the archive of the tar header of `pruefsummen.sha256`. */
  pruefsummen_ab: countSchema,
})
export type Manifest = z.infer<typeof manifestSchema>

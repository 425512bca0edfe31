/**
 * The form of an archive: a tar that ordinary tools unpack. What is in it, in this order:
 *
 *     manifest.json                 what this is, and where the list of checksums begins
 *     datenbank/<table>.jsonl       the rows, one JSON object a line
 *     dateien/<path>                every file under its path
 *     papierkorb/<number>/<name>    every file in the trash
 *     pruefsummen.sha256            the SHA-256 of everything above, as `sha256sum -c` reads it
 *
 * Decision 0014 says why.
 */
import { z } from 'zod'

export const ARCHIVE_FORMAT = 1

export const MANIFEST = 'manifest.json'
export const CHECKSUMS = 'pruefsummen.sha256'
export const TABLE_FOLDER = 'datenbank/'
export const FILE_FOLDER = 'dateien/'
export const TRASH_FOLDER = 'papierkorb/'

/** A line of the list of checksums, as `sha256sum` writes and reads it. No name in an archive needs escaping. */
export const checksumLine = (sha256: string, name: string) => `${sha256}  ${name}\n`

export const tableEntry = (table: string) => `${TABLE_FOLDER}${table}.jsonl`

/** The name of a row's bytes in the archive, noted in its line beside the columns. */
export const ROW_FILE = 'datei'

/** It stands first and is written last, so its length is fixed beforehand: blanks follow the JSON. */
export const MANIFEST_BYTES = 64 * 1024
/** Files without or with other bytes than recorded that the manifest names; it counts them all. */
export const MANIFEST_NAMES = 100

const count = z.int().nonnegative()

export const manifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  dienst: z.string(),
  version: z.string(),
  /** When the state that it holds was read, in Unix milliseconds. */
  zeit: z.int(),
  /** The migrations that the rows' columns come from. */
  schema: z.array(z.string()),
  tabellen: z.record(z.string(), count),
  /** The last number that was given away in each table that counts. */
  zaehler: z.record(z.string(), count),
  dateien: count,
  papierkorb: count,
  /** Bytes of the files, the trash included. */
  bytes: count,
  fehlend: z.object({ anzahl: count, namen: z.array(z.string()) }),
  veraendert: z.object({ anzahl: count, namen: z.array(z.string()) }),
  /** Where the header of the list of checksums begins. */
  pruefsummen_ab: count,
})
export type Manifest = z.infer<typeof manifest>

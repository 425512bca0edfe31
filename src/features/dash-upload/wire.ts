/** Makes the dashboard's answer about stored files. */
import type { FileAnswer } from '../../contract/library.ts'
import type { Database } from '../../database/database.ts'
import { fileOnWire } from '../library/wire.ts'
import { findByNr } from '../media/media.store.ts'
import type { StoredFile } from '../media/media.ts'
import type { Settings } from '../settings/settings.ts'

export interface WireParts {
  database: Database
  settings: Settings
}

/** A file that somebody else has removed in the meantime is left out. */
export async function storedOnWire(
  files: readonly StoredFile[],
  { database, settings }: WireParts,
): Promise<FileAnswer[]> {
  const answers: FileAnswer[] = []
  for (const { nr } of files) {
    const row = await findByNr(database.read, nr)
    if (row) answers.push(fileOnWire(row, settings.current().PUBLIC_URL))
  }
  return answers
}

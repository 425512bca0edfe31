/** Stored files as the dashboard is told of them. */
import { fileAddress, PREVIEWS_ROUTE } from '../../contract/addresses.ts'
import type { FileOnWire } from '../../contract/ingest.ts'
import type { Database } from '../../database/database.ts'
import { findByNr, type MediaRow } from '../media/media.store.ts'
import type { StoredFile } from '../media/media.ts'
import type { Settings } from '../settings/settings.ts'

export interface WireParts {
  database: Database
  settings: Settings
}

/** One that somebody else has taken away in the meantime is left out. */
export async function storedOnWire(
  files: readonly StoredFile[],
  { database, settings }: WireParts,
): Promise<FileOnWire[]> {
  const answers: FileOnWire[] = []
  for (const { nr } of files) {
    const row = await findByNr(database.read, nr)
    if (row) answers.push(onWire(row, settings.current().PUBLIC_URL))
  }
  return answers
}

function onWire(row: MediaRow, publicUrl: string): FileOnWire {
  return {
    id: row.id,
    path: row.path,
    url: fileAddress(publicUrl, row.path),
    vorschau: row.preview_size === null ? null : `${publicUrl}${PREVIEWS_ROUTE}${row.path}.webp`,
    size: row.size,
    sha256: row.sha256,
    mime: row.mime,
    art: row.kind,
    updated_at: row.updated_at,
    abrufe: row.retrievals,
    zuletzt_abgerufen: row.retrieved_at,
    ...(row.token_id !== null && { token_id: row.token_id }),
    ...(row.width !== null && { breite: row.width }),
    ...(row.height !== null && { hoehe: row.height }),
    ...(row.duration !== null && { laenge: row.duration }),
  }
}

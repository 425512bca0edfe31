/** Turns file rows into the JSON objects of answers, with the addresses of the files. */

import type { FileAnswer } from '../../../contract/files/library.ts'
import { fileAddress, previewAddress } from '../../../contract/paths/addresses.ts'
import type { Database } from '../../../database/database.ts'
import { findByNr, type MediaRow } from '../../media/media.store.ts'
import type { Settings } from '../../settings/settings.ts'

export const WIRE_COLUMNS = [
  'nr',
  'id',
  'path',
  'size',
  'sha256',
  'mime',
  'kind',
  'token_id',
  'updated_at',
  'width',
  'height',
  'duration',
  'preview_size',
  'retrievals',
  'retrieved_at',
] as const

export type WireRow = Pick<MediaRow, (typeof WIRE_COLUMNS)[number]>

/** Copies field by field, so that no other column is ever sent. */
export function fileOnWire(row: WireRow, publicUrl: string): FileAnswer {
  return {
    id: row.id,
    path: row.path,
    url: fileAddress(publicUrl, row.path),
    vorschau: row.preview_size === null ? null : previewAddress(publicUrl, row.path),
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

/** The answers for files that were just stored. A file that was deleted meanwhile is left out. */
export async function storedFilesOnWire(
  storedFiles: readonly { nr: number }[],
  { database, settings }: { database: Database; settings: Settings },
): Promise<FileAnswer[]> {
  const answers: FileAnswer[] = []
  for (const { nr } of storedFiles) {
    const row = await findByNr(database.read, nr)
    if (row) answers.push(fileOnWire(row, settings.current().PUBLIC_URL))
  }
  return answers
}

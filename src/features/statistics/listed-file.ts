/** A file in the short lists of overview and statistics. */

import type { OverviewFile } from '../../contract/files/overview.ts'
import { fileAddress, previewAddress } from '../../contract/paths/addresses.ts'
import type { ListedFile } from './overview.store.ts'

export const listedFileOnWire = (file: ListedFile, publicUrl: string): OverviewFile => ({
  path: file.path,
  url: fileAddress(publicUrl, file.path),
  vorschau: file.preview_size === null ? null : previewAddress(publicUrl, file.path),
  size: file.size,
  art: file.kind,
  updated_at: file.updated_at,
  abrufe: file.retrievals,
  zuletzt_abgerufen: file.retrieved_at,
})

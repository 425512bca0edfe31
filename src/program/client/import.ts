/** Imports the items of a source, and records finished items in a journal. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { clientErrors } from '../../errors/client.ts'
import { typeOfPath } from '../../features/upload/type-lookup.ts'
import type { Deliver, DeliveryStatus } from './deliver.ts'
import type { Journal } from './journal.ts'
import type { PlannedFile } from './plan.ts'
import { type RetryPolicy, withRetries } from './retries.ts'
import type { ServiceClient } from './service.ts'
import type { ImportItem } from './sources/item.ts'

/** A line of the journal: an item that was imported. */
export interface ImportEntry {
  from: string
  to: string
  path: string
}

export interface ImportParts {
  service: ServiceClient
  retryPolicy: RetryPolicy
  deliver: Deliver
  journal: Journal<ImportEntry>
  /** An existing folder for the local copies of files. */
  scratchFolder: string
  /** Whether other content at the same path is replaced. */
  overwrite: boolean
}

const UNKNOWN_MEDIA_TYPE = 'application/octet-stream'

export function createImporter(parts: ImportParts) {
  const { service, retryPolicy, deliver, journal, scratchFolder: scratch, overwrite } = parts
  const entriesBySource = new Map(journal.entries.map(entry => [entry.from, entry]))
  let fileCount = 0

  /**
   * Predicts the outcome of `importItem` from the journal and from what the service has at the path;
   * transfers nothing. If the hash of the item is unknown, an existing file counts as other content. The
   * status `kept` means that other content is not replaced; if the content really differs, `importItem`
   * rejects.
   */
  async function predictOutcome({ item, path }: PlannedFile<ImportItem>) {
    const journalEntry = entriesBySource.get(item.from)
    if (journalEntry?.path === path) return { ...journalEntry, status: 'present' as const }
    const existingFile = await withRetries(() => service.exists(path), retryPolicy)
    const hasSameContent =
      existingFile.exists && item.sha256 !== undefined && existingFile.sha256 === item.sha256
    const status: DeliveryStatus = hasSameContent
      ? 'present'
      : !existingFile.exists
        ? 'sent'
        : overwrite
          ? 'replaced'
          : 'kept'
    return { from: item.from, to: existingFile.url, path, status }
  }

  async function fetchAndDeliver({ item, path }: PlannedFile<ImportItem>) {
    const file = join(scratch, String(++fileCount))
    try {
      const localCopy = await item.makeLocal(file)
      // If the file name has no known extension, the type is taken from the source.
      const mime = typeOfPath(path) === UNKNOWN_MEDIA_TYPE ? localCopy.mime : undefined
      const delivery = await deliver({ path, file: localCopy.file, mime, expectedSha256: item.sha256 })
      return { from: item.from, to: delivery.url, path, status: delivery.status }
    } finally {
      await rm(file, { force: true })
    }
  }

  return {
    preview: predictOutcome,
    async importItem(plannedFile: PlannedFile<ImportItem>) {
      const { item, path } = plannedFile
      const journalEntry = entriesBySource.get(item.from)
      if (journalEntry?.path === path) return { ...journalEntry, status: 'present' as const }
      const predictedOutcome = item.sha256 === undefined ? null : await predictOutcome(plannedFile)
      const outcome =
        predictedOutcome?.status === 'present' ? predictedOutcome : await fetchAndDeliver(plannedFile)
      if (outcome.status === 'kept') throw clientErrors.pathTaken(path)
      await journal.add({ from: item.from, to: outcome.to, path })
      return outcome
    },
  }
}

/** Imports the items of a source one by one, and records finished items in a journal. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { clientTrouble } from '../../errors/client.ts'
import { typeOfPath } from '../../features/upload/media-type.ts'
import type { Deliver, DeliveryStatus } from './deliver.ts'
import type { Journal } from './journal.ts'
import { type Patience, withRetries } from './patience.ts'
import type { PathPlan } from './plan.ts'
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
  patience: Patience
  deliver: Deliver
  journal: Journal<ImportEntry>
  /** An existing folder for files that are being transferred. */
  scratch: string
  /** Whether other content at the same path is replaced. */
  overwrite: boolean
}

const UNKNOWN_TYPE = 'application/octet-stream'

export function createImporter(parts: ImportParts) {
  const { service, patience, deliver, journal, scratch, overwrite } = parts
  const done = new Map(journal.entries.map(entry => [entry.from, entry]))
  let turn = 0

  /** Reports what `bring` would do, without a transfer: asks the service what is at the path. */
  async function preview({ item, path }: PathPlan<ImportItem>) {
    const before = done.get(item.from)
    if (before?.path === path) return { ...before, status: 'present' as const }
    const there = await withRetries(() => service.exists(path), patience)
    const isSame = there.exists && there.sha256 === item.sha256
    const status: DeliveryStatus = isSame
      ? 'present'
      : !there.exists
        ? 'sent'
        : overwrite
          ? 'replaced'
          : 'kept'
    return { from: item.from, to: there.url, path, status }
  }

  async function fetchAndDeliver({ item, path }: PathPlan<ImportItem>) {
    const file = join(scratch, String(++turn))
    try {
      const brought = await item.bring(file)
      // If the file name has no known extension, the type is taken from the source.
      const mime = typeOfPath(path) === UNKNOWN_TYPE ? brought.mime : undefined
      const delivery = await deliver({ path, file: brought.file, mime, expected: item.sha256 })
      return { from: item.from, to: delivery.url, path, status: delivery.status }
    } finally {
      await rm(file, { force: true })
    }
  }

  return {
    preview,
    async bring(planned: PathPlan<ImportItem>) {
      const { item, path } = planned
      const before = done.get(item.from)
      if (before?.path === path) return { ...before, status: 'present' as const }
      const known = item.sha256 === undefined ? null : await preview(planned)
      const outcome = known?.status === 'present' ? known : await fetchAndDeliver(planned)
      if (outcome.status === 'kept') throw clientTrouble.pathTaken(path)
      await journal.add({ from: item.from, to: outcome.to, path })
      return outcome
    },
  }
}

/**
 * Removes uploads that were not continued in time, the expired rows of finished uploads, and bytes that
 * belong to no unfinished upload, which a crash can leave. Does nothing while the clock is in doubt.
 */
import { batches } from '../../base/batches.ts'
import { TUS_LIFETIME } from '../../contract/upload/tus-wire.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import type { FeatureParts } from '../feature.ts'
import { findUnfinishedIds, limitUploadExpiry, listExpiredUploads } from './tus.store.ts'
import type { Tus } from './tus.ts'

interface SweepParts extends Pick<FeatureParts, 'database' | 'storage' | 'now'> {
  tus: Pick<Tus, 'endExpired'>
  clockWatch: Pick<ClockWatch, 'mayRemoveByAge'>
}

export async function sweepUploads(parts: SweepParts, signal: AbortSignal): Promise<void> {
  const { database, storage, now, tus, clockWatch } = parts
  if (!(await clockWatch.mayRemoveByAge())) return
  await database.transaction(tx => limitUploadExpiry(tx, now() + TUS_LIFETIME))
  for (const { id, held_until } of await listExpiredUploads(database.read, now())) {
    if (signal.aborted) return
    if (held_until <= now()) await tus.endExpired(id)
  }
  // The bytes are listed before the rows are read, because a row is written before its bytes.
  const storedIds = [...new Set(await Array.fromAsync(storage.listPartial()))]
  for (const ids of batches(storedIds)) {
    if (signal.aborted) return
    const unfinishedIds = await findUnfinishedIds(database.read, ids)
    await database.waitUntilDurable()
    for (const id of ids) if (!unfinishedIds.has(id)) await storage.removePartial(id)
  }
}

/**
 * The nightly sweep: removes what no row owns, notes files whose object is gone as findings, and sends one message when
 * there is news. A file that was missing last night already is none.
 */
import type { Log } from '../../log.ts'
import { idsOf, saveOutcomes } from '../integrity/findings.store.ts'
import { tellFindings } from '../integrity/tell.ts'
import { type SweepParts, sweep } from '../media/sweep.ts'
import type { Notify } from '../notify/notify.ts'

export interface NightlyParts extends SweepParts {
  notify: Notify
  log: Log
}

/** Findings written down in one transaction. */
const PORTION = 200

export async function nightlySweep(parts: NightlyParts): Promise<void> {
  const { database, notify, log, now } = parts
  const { removed, missing, missingInTrash } = await sweep(parts)
  if (removed.length > 0) log.info('objects without a file were removed', { objects: removed.length })
  if (missing.length > 0)
    log.error('files without their object', { files: missing.length, first: missing[0] })
  if (missingInTrash.length > 0)
    log.error('files in the trash without their object', {
      files: missingInTrash.length,
      first: missingInTrash[0],
    })
  const ids = [
    ...(await idsOf(database.read, 'media', 'path', missing)),
    ...(await idsOf(
      database.read,
      'trash',
      'nr',
      missingInTrash.map(({ nr }) => nr),
    )),
  ]
  for (let start = 0; start < ids.length; start += PORTION) {
    const some = new Map(ids.slice(start, start + PORTION).map(id => [id, 'missing' as const]))
    await database.transaction(tx => saveOutcomes(tx, some, now()))
  }
  await tellFindings({ database, notify }, removedText(removed.length))
}

function removedText(count: number): string[] {
  if (count === 0) return []
  const objects = count === 1 ? 'ein Objekt' : `${count} Objekte`
  return [
    `Beim nächtlichen Abgleich ${count === 1 ? 'lag' : 'lagen'} ${objects} ohne Eintrag in der Ablage; entfernt.`,
  ]
}

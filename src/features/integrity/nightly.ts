/**
 * The nightly sweep: removes objects without a row, saves a finding for each file whose object is missing,
 * and sends one message if there is anything to report. No object is removed while the clock is in doubt, or
 * if the rows seem to be lost. Messages report a missing file once, not again every night; files whose rows
 * are lost are reported every night.
 */
import { batches } from '../../base/batches.ts'
import type { Log } from '../../base/log.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import type { Notifier } from '../notify/notify.ts'
import { findOwnersWithoutObject, splitByPlace } from './compare.ts'
import { saveCheckOutcomes } from './findings.store.ts'
import { sendFindings } from './findings-message.ts'
import { removeOrphans, type SweepParts } from './sweep.ts'

export interface NightlyParts extends SweepParts {
  clockWatch: Pick<ClockWatch, 'mayRemoveByAge'>
  notify: Notifier
  log: Log
}

const FINDINGS_PER_TRANSACTION = 200

export async function nightlySweep(parts: NightlyParts, signal: AbortSignal): Promise<void> {
  const { database, clockWatch, notify, log, now } = parts
  const { removedNames, heldBackCount } = (await clockWatch.mayRemoveByAge())
    ? await removeOrphans(parts, { signal })
    : { removedNames: [], heldBackCount: 0 }
  if (removedNames.length > 0)
    log.info('objects without a file were removed', { objects: removedNames.length })
  if (heldBackCount > 0) log.error('files without a row, which all stay', { files: heldBackCount })
  const ownersWithoutObject = await findOwnersWithoutObject(parts, signal)
  const { library, trash } = splitByPlace(ownersWithoutObject)
  logMissing('files without their object', library)
  logMissing('files in the trash without their object', trash)
  for (const batch of batches(ownersWithoutObject, FINDINGS_PER_TRANSACTION)) {
    const outcomes = new Map(batch.map(({ id }) => [id, 'missing' as const]))
    await database.transaction(tx => saveCheckOutcomes(tx, outcomes, now()))
  }
  await sendFindings({ database, notify }, [
    ...removedObjectsText(removedNames.length),
    ...heldBackFilesText(heldBackCount),
  ])

  function logMissing(message: string, files: readonly (string | { nr: number; path: string })[]): void {
    if (files.length > 0) log.error(message, { files: files.length, first: files[0] })
  }
}

const removedObjectsText = (count: number) => orphansText(count, 'ein Objekt', 'Objekte', '; entfernt.')

const heldBackFilesText = (count: number) =>
  orphansText(
    count,
    'eine Datei',
    'Dateien',
    '. Das sieht nach einer verlorenen oder veralteten Datenbank aus; darum wurde nichts entfernt. Was zu tun ist: fundus restore oder fundus rebuild.',
  )

function orphansText(count: number, singular: string, plural: string, ending: string): string[] {
  if (count === 0) return []
  const foundClause = count === 1 ? `lag ${singular}` : `lagen ${count} ${plural}`
  return [`Beim nächtlichen Abgleich ${foundClause} ohne Eintrag in der Ablage${ending}`]
}

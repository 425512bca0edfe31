/**
 * `fundus check`: compares rows, objects and figures (the totals that triggers maintain) in constant memory;
 * the service may run meanwhile. With `shouldRepair`, repairs only where nothing can be lost: removes old
 * objects without a row and old remains of uploads, has derived files made again, and recounts figures. A row
 * without its object is kept: it names a file that has to be restored from a backup.
 */

import { LONG_TRANSACTION } from '../../base/pace.ts'
import type { Queries } from '../../database/database.ts'
import type { FindingReason } from '../../database/schema.ts'
import type { Coordination } from '../../jobs/coordination.ts'
import { DERIVED_PARTS, emptyPartColumns } from '../../storage/derived-parts.ts'
import { derivedObject } from '../../storage/names.ts'
import { SWEEP_AGE } from '../../storage/object-age.ts'
import { hasDerivedPart } from '../previews/remake.ts'
import { walkOrphans } from './compare.ts'
import { examineFile } from './examine.ts'
import { findWrongTotals, recountTotals, type WrongTotals } from './figures.ts'
import { saveCheckOutcomes } from './findings.store.ts'
import { addName, emptyNameList, MAX_NAMES } from './names.ts'
import { type FileAmount, type Owner, stillOwnsObject, totalFileAmount, walkOwners } from './owners.ts'
import { removeOrphans, type SweepParts } from './sweep.ts'

/**
 * Minimum age in milliseconds of reported objects if the database has no file at all. Then the rows of all
 * objects are probably lost, so even young objects are reported. The age is not 0, because the row of a very
 * young object may be about to be written.
 */
const MIN_AGE_WITHOUT_ROWS = 2_000

export type CheckReport = ReturnType<typeof emptyReport>

export interface CheckOptions {
  readsContents: boolean
  shouldRepair: boolean
  /**
   * Called with the files and bytes checked so far, and with those of all files. Bytes are counted as checked
   * only if contents are read.
   */
  onProgress?: (done: FileAmount, total: FileAmount) => void
}

export interface CheckParts extends SweepParts {
  coordination: Coordination
}

export async function checkIntegrity(parts: CheckParts, options: CheckOptions): Promise<CheckReport> {
  const report = { ...emptyReport(options), lostChanges: await parts.lostChanges.find() }
  await checkRows(parts, options, report)
  await checkObjects(parts, report)
  await checkTotals(parts, options, report)
  report.ok = isFaultless(report)
  return report
}

/** Whether everything is in order after the repairs. Missing or altered bytes cannot be repaired. */
function isFaultless(report: CheckReport): boolean {
  const { withoutRow, withoutObject, wrongSize, wrongContent, unreadable, withoutDerived, figures } = report
  const lossLists = [withoutObject, wrongSize, wrongContent, unreadable]
  if (report.lostChanges !== null || lossLists.some(({ count }) => count > 0)) return false
  // The sweep may have removed fewer objects than were found: for example, it keeps them if their rows seem
  // to be lost, and while a backup is running.
  if (report.repaired) return report.repaired.removed >= withoutRow.count
  return withoutRow.count + withoutDerived.count === 0 && areTotalsRight(figures)
}

const areTotalsRight = ({ folders, tokens, trash, unretrieved }: WrongTotals) =>
  folders.length + tokens.length === 0 && !trash && !unretrieved

async function checkRows(parts: SweepParts, options: CheckOptions, report: CheckReport): Promise<void> {
  const { checked } = report
  const total = await totalFileAmount(parts.database.read)
  const reportProgress = () =>
    options.onProgress?.({ files: checked.files + checked.trash, bytes: checked.bytes }, total)
  const onBytes = (count: number) => {
    checked.bytes += count
    reportProgress()
  }
  const listByReason = {
    missing: report.withoutObject,
    size: report.wrongSize,
    content: report.wrongContent,
    unreadable: report.unreadable,
  }
  for await (const owner of walkOwners(parts.database.read)) {
    const reason = await examineFile(parts, owner, { readsContent: options.readsContents, onBytes })
    if (reason) addName(listByReason[reason], nameOf(owner))
    // Updates the findings, which the dashboard shows too. A finding is cleared only if every byte was read.
    if (reason || options.readsContents) await saveCheckOutcome(parts, owner, reason)
    if (!reason) await checkDerivedFiles(parts, options, owner, report)
    checked[owner.place === 'media' ? 'files' : 'trash']++
    reportProgress()
  }
}

const nameOf = ({ place, path }: Owner) => (place === 'trash' ? `trash:${path}` : path)

async function saveCheckOutcome(
  { database, now }: SweepParts,
  { id }: Owner,
  reason: FindingReason | null,
): Promise<void> {
  const knownFinding = await database.read
    .selectFrom('finding')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  // Nearly all files are intact and have no finding, so no transaction is spent on them.
  if (!reason && !knownFinding) return
  await database.transaction(tx => saveCheckOutcomes(tx, new Map([[id, reason]]), now()))
}

/**
 * Reports a file if a derived file that its row refers to is missing or has the wrong size. With
 * `shouldRepair`, also removes the references from the row, so that the derived files are made again. Files
 * whose derived files are still being made are skipped.
 */
async function checkDerivedFiles(
  parts: SweepParts,
  { shouldRepair: repair }: CheckOptions,
  owner: Owner,
  report: CheckReport,
): Promise<void> {
  if (owner.derived === 'pending') return
  const recordedParts = DERIVED_PARTS.filter(part => derivedObject(part, owner))
  const arePresent = await Promise.all(recordedParts.map(part => hasDerivedPart(parts.storage, owner, part)))
  if (arePresent.every(Boolean) || !(await stillOwnsObject(parts.database.read, owner))) return
  addName(report.withoutDerived, nameOf(owner))
  if (!repair) return
  await parts.database.transaction(tx => clearDerivedColumns(tx, owner))
  if (report.repaired) report.repaired.remade++
}

/**
 * Removes the references to derived files from the row, so that they are made again. For files in the trash
 * none are made.
 */
async function clearDerivedColumns(tx: Queries, { place, id, object }: Owner): Promise<void> {
  const emptyColumns = emptyPartColumns(DERIVED_PARTS)
  if (place === 'trash') {
    await tx
      .updateTable('trash')
      .set(emptyColumns)
      .where('id', '=', id)
      .where('object', '=', object)
      .execute()
    return
  }
  await tx
    .updateTable('media')
    .set({ ...emptyColumns, derived: 'pending', derive_attempts: 0 })
    .where('id', '=', id)
    .where('object', '=', object)
    .execute()
}

async function checkObjects(parts: CheckParts, report: CheckReport): Promise<void> {
  const onExamined = (objects: number) => {
    report.checked.objects += objects
  }
  const { files, trash } = report.checked
  const minAge = files + trash === 0 ? MIN_AGE_WITHOUT_ROWS : SWEEP_AGE
  for await (const foundObjects of walkOrphans(parts, minAge, onExamined)) {
    for (const { name } of foundObjects) addName(report.withoutRow, name)
  }
  if (report.repaired && report.withoutRow.count > 0) {
    const sweepRun = await parts.coordination.exclusively('sweep', signal => removeOrphans(parts, { signal }))
    report.repaired.removed = sweepRun?.result.removedNames.length ?? 0
  }
}

async function checkTotals(
  { database }: SweepParts,
  { shouldRepair: repair }: CheckOptions,
  report: CheckReport,
): Promise<void> {
  report.figures = await findWrongTotals(database.slowRead, MAX_NAMES)
  if (!repair || areTotalsRight(report.figures)) return
  await database.transaction(recountTotals, LONG_TRANSACTION)
  if (report.repaired) report.repaired.recounted = true
}

const emptyReport = ({ readsContents: contents, shouldRepair: repair }: CheckOptions) => ({
  ok: false,
  checked: { files: 0, trash: 0, objects: 0, bytes: 0, contents },
  /**
   * Old objects that belong to no row, to no unfinished upload and to no earlier state that a restore has
   * kept.
   */
  withoutRow: emptyNameList(),
  /** Paths; files in the trash as `trash:<path>`. The same holds for the lists below. */
  withoutObject: emptyNameList(),
  wrongSize: emptyNameList(),
  wrongContent: emptyNameList(),
  unreadable: emptyNameList(),
  /** Files whose preview or WebP variant is missing or has the wrong size. */
  withoutDerived: emptyNameList(),
  figures: { folders: [], tokens: [], trash: false, unretrieved: false } as WrongTotals,
  repaired: repair ? { removed: 0, remade: 0, recounted: false } : null,
  /**
   * If the database lacks committed changes: the name of the file that proves it, such as the mark of the
   * database's state beside the objects (`adapters/lost-changes.ts`); otherwise null.
   */
  lostChanges: null as string | null,
})

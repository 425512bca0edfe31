/**
 * The backup as other features use it: starts runs, waits for their reports, and shows the state. Only one
 * run is in progress at a time across all processes; its progress and its report are in the database. If the
 * process of a run dies, the run is reported as failed.
 */
import { join } from 'node:path'
import type { BackupReport, BackupStep } from '../../contract/service/backup.ts'
import { hasRepairedWarning, REPAIRED_WARNING, WARNINGS } from '../../contract/service/warnings.ts'
import { BackupTrouble, backupTrouble } from '../../errors/errors.ts'
import { knownFailure } from '../../http/answers/render-error.ts'
import { makeAllPrivate } from '../../storage/local/make-private.ts'
import type { FeatureParts } from '../feature.ts'
import type { Notify } from '../notify/notify.ts'
import type { Settings } from '../settings/settings.ts'
import { newestFirst } from './archive/archive-name.ts'
import { type BucketTarget, isBucketName } from './bucket/bucket-target.ts'
import { createBucketLister } from './bucket/list-bucket.ts'
import { createFolderPlace } from './places/folder-place.ts'
import type { Place } from './places/place.ts'
import { createPlaceInspector, type PlaceInspector } from './places/place-inspector.ts'
import {
  createTargetNames,
  foldersOf,
  type TargetNames,
  type Targets,
  targetNamesOf,
} from './places/targets.ts'
import * as store from './run/backup.store.ts'
import type { RunControls } from './run/meter.ts'
import type { RunParts } from './run/run.ts'
import { lastReport, stateOf } from './state.ts'

/** Milliseconds between two checks of the progress of a run, which may belong to another process. */
const POLL_INTERVAL = 200
/** Minimum milliseconds between two writes of the progress to the database. */
const PROGRESS_INTERVAL = 1000

export type Backup = ReturnType<typeof createBackup>

interface StartOptions {
  /** Whether to save only the database rows, without the contents of the files. */
  onlyRows?: boolean
  onProgress?: (doneBytes: number, totalBytes: number | null) => void
}

export interface BackupParts
  extends Omit<RunParts, 'service' | 'listArchives'>,
    Pick<FeatureParts, 'coordination' | 'log'> {
  settings: Settings
  notify: Notify
  version: string
  dataDir: string
}

type Parts = BackupParts & PlaceInspector & { targets: TargetNames; onRunEnded: () => void }

export function createBackup(backupParts: BackupParts) {
  const { database, log } = backupParts
  const targets = createTargetNames(backupParts)
  const folderInspector = createPlaceInspector()
  const bucketLister = createBucketLister({
    currentBucket: () => targets.current().bucket,
    now: backupParts.now,
  })
  const inspect: PlaceInspector['inspect'] = async place => {
    if (!isBucketName(place)) return folderInspector.inspect(place)
    const archives = await bucketLister.list(place)
    return archives && { archives, freeBytes: null }
  }
  const parts: Parts = {
    ...backupParts,
    ...{ targets, inspect, onRunEnded: bucketLister.forget },
    listArchives: async place => (await inspect(place))?.archives ?? null,
  }
  const stopController = new AbortController()
  let ownRunsEnded: Promise<unknown> = Promise.resolve()

  /**
   * Begins a run, or joins the current one, whichever process it belongs to. Resolves when the run has begun;
   * `report` resolves when it has ended. If the process of a joined run dies, a new run begins (unless `stop`
   * was called), and `report` is the report of the new run.
   */
  async function start(options: StartOptions = {}): Promise<{ report: Promise<BackupReport> }> {
    const { onlyRows = false, onProgress } = options
    for (;;) {
      const { whenBegun, whenEnded } = beginRun(parts, { signal: stopController.signal, onlyRows })
      // `stop` waits for all runs that this process has begun, so this run is added to the earlier ones.
      ownRunsEnded = Promise.all([ownRunsEnded, whenEnded])
      const ownRunNr = await whenBegun
      const runNr = ownRunNr ?? (await store.findOpenRun(database.read))?.nr
      if (runNr !== undefined) {
        const report = waitForReport(parts, runNr, onProgress).then(async foundReport => {
          // If the run belongs to this process, waits until it has also queued its messages and released its
          // lease.
          await whenEnded
          // If the process of the joined run has died, a new run is started. That process seemed to be alive
          // until its lease expired.
          if (ownRunNr !== null || !isDeadRun(foundReport) || stopController.signal.aborted)
            return foundReport
          return (await start(options)).report
        })
        // Prevents an unhandled rejection: the caller may ignore the report.
        report.catch(() => {})
        return { report }
      }
      // The lease is held but no open run was found: another run is about to begin and has no row yet, or has
      // just ended and has not released the lease yet.
      await Bun.sleep(POLL_INTERVAL)
    }
  }

  return {
    start,
    /** Begins or joins a run and waits for its end, for the daily job. Rejects if the run fails. */
    async run() {
      const { ok, fehler } = await (await start()).report
      if (!ok) throw new BackupTrouble(fehler ?? '')
    },
    async state() {
      await reportDeadRun(parts)
      return stateOf(parts)
    },
    /**
     * The last report, with the number of targets that still have its archive. Null before the first report.
     */
    async lastReport() {
      await reportDeadRun(parts)
      return lastReport(parts)
    },
    /** A current target that has this archive; null if none has it. */
    async placeOfArchive(name: string): Promise<Place | null> {
      const currentTargets = targets.current()
      for (const place of targetNamesOf(currentTargets)) {
        // Only the name of a listed archive becomes part of a path, so that no request can read files outside
        // the folder.
        const hasArchive = (await parts.listArchives(place))?.some(archive => archive.name === name)
        if (!hasArchive) continue
        if (!isBucketName(place)) return createFolderPlace(place, parts.newId)
        const { storage, newId, now } = parts
        const { openBucketPlace } = await import('./bucket/bucket-place.ts')
        return openBucketPlace({
          target: currentTargets.bucket!,
          scratch: storage.scratch,
          newId,
          now,
          createKey: false,
        })
      }
      return null
    },
    /**
     * The current target with the newest archive, and the names of its archives, newest first. Null if no
     * target has an archive.
     */
    async newestArchives(): Promise<{ place: string | BucketTarget; names: string[] } | null> {
      const currentTargets = targets.current()
      const listings = await Promise.all(
        targetNamesOf(currentTargets).map(async place => ({
          place,
          archives: (await parts.listArchives(place)) ?? [],
        })),
      )
      const [newestListing] = listings
        .filter(({ archives }) => archives.length > 0)
        .sort((a, b) => newestFirst(a.archives[0]!, b.archives[0]!))
      if (!newestListing) return null
      const { place, archives } = newestListing
      return {
        place: isBucketName(place) ? currentTargets.bucket! : place,
        names: archives.map(({ name }) => name),
      }
    },
    /** When the newest run began, whatever its result; null before the first run. */
    async lastRunStartedAt() {
      // The scheduler calls this regularly, so a run whose process has died is reported as failed even if
      // nobody asks for the state.
      await reportDeadRun(parts)
      return (await store.findRun(database.read))?.started_at ?? null
    },
    /**
     * Makes the archives in the target folders unreadable for other users. The folders themselves are left as
     * they are, because they may belong to somebody else.
     */
    async makeArchivesPrivate() {
      for (const folder of foldersOf(targets.current())) {
        const archives = (await parts.listArchives(folder)) ?? []
        const files = archives.map(({ name }) => join(folder, name))
        await makeAllPrivate(files, log)
      }
    },
    /**
     * Aborts the run of this process, if there is one, and records in its report that it was stopped.
     * Resolves when the report is written.
     */
    async stop() {
      stopController.abort(backupTrouble.stopped())
      await ownRunsEnded
    },
  }
}

type RunOptions = Omit<RunControls, 'onProgress'>

/**
 * Begins a run, unless the lease is held. `whenBegun` resolves with the number of the run, or with null if
 * the lease is held. `whenEnded` resolves when the run has written its report and released the lease, or at
 * once if no run began; it never rejects. The signal in `options` aborts the run.
 */
function beginRun(parts: Parts, options: RunOptions) {
  const { database, coordination, log, now } = parts
  const deferredRunNr = Promise.withResolvers<number | null>()
  const leasedRun = coordination.exclusively('backup', async leaseSignal => {
    // This process holds the lease, so no other run is in progress. If the newest run has no report, its
    // process has died or has lost the lease.
    await reportDeadRun(parts, async () => false)
    const runNr = await database.transaction(tx => store.beginRun(tx, now(), 'schreiben'))
    deferredRunNr.resolve(runNr)
    const leaseController = new AbortController()
    const abortRun = () => leaseController.abort(backupTrouble.lost())
    leaseSignal.addEventListener('abort', abortRun, { once: true })
    if (leaseSignal.aborted) abortRun()
    await executeRun(parts, runNr, {
      ...options,
      signal: AbortSignal.any([leaseController.signal, options.signal]),
    })
  })
  leasedRun.then(runResult => runResult ?? deferredRunNr.resolve(null), deferredRunNr.reject)
  const whenEnded = leasedRun.catch(error => log.error('the backup could not report', { cause: error }))
  return { whenBegun: deferredRunNr.promise, whenEnded }
}

async function executeRun(parts: Parts, runNr: number, options: RunOptions): Promise<void> {
  const { settings, targets, version, log, now } = parts
  const currentTargets = targets.current()
  const service = { name: settings.current().DIENST, version }
  let report: BackupReport
  try {
    const controls = { ...options, onProgress: createProgressRecorder(parts, runNr) }
    const { runBackup } = await import('./run/run.ts')
    report = { ...(await runBackup({ ...parts, service }, currentTargets, controls)), zeit: now() }
  } catch (error) {
    if (!(error instanceof BackupTrouble)) log.error('the backup failed', { cause: error })
    const knownTrouble = error instanceof BackupTrouble ? error : knownFailure(error)
    report = failedReport(currentTargets, knownTrouble ?? backupTrouble.unexpected(error), now())
  }
  await endRun(parts, runNr, report, currentTargets)
  const { ok, archiv, bytes, fehler } = report
  // A failure is logged only as a warning here, because the log line of the job, the answer to the request,
  // or a chat message reports it as well.
  const logFields = { ok, archive: archiv, bytes, ...(fehler && { reason: fehler }) }
  log[ok ? 'info' : 'warn']('backup ended', logFields)
}

function createProgressRecorder({ database, log, now }: Parts, runNr: number) {
  let savedAt = Number.NEGATIVE_INFINITY
  return (step: BackupStep, doneBytes: number, totalBytes: number) => {
    if (now() - savedAt < PROGRESS_INTERVAL) return
    savedAt = now()
    database
      .transaction(tx => store.recordProgress(tx, runNr, { step, done: doneBytes, total: totalBytes }))
      .catch(error => log.warn('the progress of the backup could not be noted', { cause: error }))
  }
}

/**
 * Reports the newest run as failed if it has no report and no process works on it. The run must be read
 * before the lease is checked, so that it cannot have begun after this check. If nobody holds the lease, the
 * process of the run has died, or the run has written its report after it was read here; `endRun` does not
 * replace that report.
 */
async function reportDeadRun(
  parts: Parts,
  isLeaseHeld = () => parts.coordination.isHeld('backup'),
): Promise<void> {
  const run = await store.findOpenRun(parts.database.read)
  if (!run || (await isLeaseHeld())) return
  const currentTargets = parts.targets.current()
  await endRun(parts, run.nr, failedReport(currentTargets, backupTrouble.died(), parts.now()), currentTargets)
}

const isDeadRun = ({ fehler_codes = [] }: BackupReport) => fehler_codes.includes(backupTrouble.died().code)

const failedReport = (
  { secondFolder }: Targets,
  { sentence, code }: Pick<BackupTrouble, 'sentence' | 'code'>,
  endedAt: number,
): BackupReport => ({
  ok: false,
  ...(secondFolder !== null && { zweit: true as const }),
  ...{
    zeit: endedAt,
    archiv: null,
    bytes: 0,
    orte: 0,
    warnungen: [],
    fehler: sentence,
    fehler_codes: [code],
  },
})

/**
 * Writes the report and queues messages, unless the run already has a report. There is a message for a
 * failure, for the first success after a failure, and for a success that repaired damage.
 */
async function endRun(
  { database, notify, targets, onRunEnded }: Parts,
  runNr: number,
  report: BackupReport,
  currentTargets: Targets,
): Promise<void> {
  const usedNames = new Set(report.plaetze?.map(({ ort }) => ort))
  const placeNames = targetNamesOf(currentTargets)
  const places = targets.namesOf(currentTargets).filter((_, index) => usedNames.has(placeNames[index]!))
  onRunEnded()
  if (!(await database.transaction(tx => store.endRun(tx, runNr, report, places)))) return
  if (!report.ok) await notify.queue('sicherung', `Die Sicherung ist fehlgeschlagen. ${report.fehler}`)
  else if ((await store.lastEndedRun(database.read, runNr))?.report.ok === false)
    await notify.queue('sicherung', `Die Sicherung gelingt wieder: ${report.archiv}.`)
  if (report.ok && hasRepairedWarning(report)) await notify.queue('sicherung', WARNINGS[REPAIRED_WARNING])
}

async function waitForReport(
  parts: Parts,
  runNr: number,
  onProgress: StartOptions['onProgress'],
): Promise<BackupReport> {
  for (;;) {
    const run = await store.findRun(parts.database.read, runNr)
    if (run?.report) return store.parseReport(run.report)
    if (run) onProgress?.(run.done, run.total)
    await reportDeadRun(parts)
    await Bun.sleep(POLL_INTERVAL)
  }
}

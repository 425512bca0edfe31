/**
 * The backup as the other features see it. Only one run exists at a time in all processes. Progress and report of a run
 * are in the database. The run of a process that died is reported as failed.
 */
import { join } from 'node:path'
import type { BackupReport, BackupState, BackupStep } from '../../contract/backup.ts'
import { WARNINGS } from '../../contract/warnings.ts'
import type { Coordination } from '../../coordination/coordination.ts'
import { BackupTrouble, backupTrouble } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { closeAllToOthers } from '../../storage/close-to-others.ts'
import type { Notify } from '../notify/notify.ts'
import type { Settings } from '../settings/settings.ts'
import { newestFirst } from './archive-name.ts'
import * as store from './backup.store.ts'
import { DEFAULT_TARGET, type FoundArchive } from './place.ts'
import { createLookAt } from './place-look.ts'
import { type RunParts, runBackup, type Targets } from './run.ts'

const PROGRESS_EVERY = 1000
/** Milliseconds between two looks at a run by a caller that waits for it; the run may belong to another process. */
const LOOK_EVERY = 200

export interface Backup {
  /** Begins a run, or joins the run that is under way in any process. Returns the number of the run. */
  start(): Promise<number>
  /** Waits for the end of a run, and meanwhile calls `onProgress` with how far the run is. */
  report(nr: number, onProgress?: (done: number, total: number | null) => void): Promise<BackupReport>
  /** Begins or joins a run and waits for its end, for the daily job. Rejects when the run fails. */
  run(): Promise<void>
  state(): Promise<BackupState>
  /**
   * The report of the last run; its number of places counts where the archive is found now. Null before the first run
   * has ended.
   */
  lastReport(): Promise<BackupReport | null>
  /** When the last run began, whether that run succeeded or not. */
  lastRun(): Promise<number | null>
  /**
   * Closes the archives at both places to other users of this machine. The folders around them are left as they are,
   * since they may belong to somebody else.
   */
  closeArchives(): Promise<void>
  /** Aborts the run of this process, whose report then says so. Resolves when the report is written. */
  stop(): Promise<void>
}

export interface BackupParts extends Omit<RunParts, 'service'> {
  coordination: Coordination
  settings: Settings
  notify: Notify
  log: Log
  dataDir: string
  version: string
}

export function createBackup(parts: BackupParts): Backup {
  const { database, coordination, settings, notify, log, dataDir, version, now } = parts
  const stopping = new AbortController()
  const lookAt = createLookAt()
  let running: Promise<unknown> = Promise.resolve()

  /**
   * The folder of a place as settings and rows name it. The empty name stands for the default folder in the data
   * folder, wherever the data folder lies by now.
   */
  const folderOf = (place: string) => (place === '' ? join(dataDir, DEFAULT_TARGET) : place)
  const placesOf = (chosen: Targets) =>
    foldersOf(chosen).map(folder => (folder === folderOf('') ? '' : folder))

  function targets(): Targets {
    const { SICHERUNG_ZIEL, SICHERUNG_ZWEITZIEL, SICHERUNG_BEHALTEN } = settings.current()
    return {
      first: folderOf(SICHERUNG_ZIEL),
      second: SICHERUNG_ZWEITZIEL === '' ? null : SICHERUNG_ZWEITZIEL,
      keep: SICHERUNG_BEHALTEN,
    }
  }

  const failed = ({ second }: Targets, { sentence }: BackupTrouble): BackupReport => ({
    ok: false,
    ...(second !== null && { zweit: true as const }),
    zeit: now(),
    archiv: null,
    bytes: 0,
    orte: 0,
    warnungen: [],
    fehler: sentence,
  })

  /**
   * Writes the report; it counts only if the run has no report yet. Only then notifications are sent: of every failure,
   * and of a success that follows a failure.
   */
  async function end(nr: number, report: BackupReport, chosen: Targets): Promise<void> {
    const places = placesOf(chosen).slice(0, report.orte)
    if (!(await database.transaction(tx => store.endRun(tx, nr, report, places)))) return
    if (!report.ok) await notify.queue('sicherung', `Die Sicherung ist fehlgeschlagen. ${report.fehler}`)
    else if ((await store.lastEnded(database.read, nr))?.report.ok === false)
      await notify.queue('sicherung', `Die Sicherung gelingt wieder: ${report.archiv}.`)
  }

  /**
   * Reports the newest run as failed if it has no report and no process works at it: such a run has died. The order of
   * the two questions matters. A run writes its report before it releases the task, so a run that still has no report
   * after `isHeld` has answered no will never get one.
   */
  async function buryDead(): Promise<void> {
    const run = await store.newestRun(database.read)
    if (!run || run.report !== null || (await coordination.isHeld('backup'))) return
    await bury(run.nr)
  }

  async function bury(nr: number): Promise<void> {
    const chosen = targets()
    await end(nr, failed(chosen, backupTrouble.died()), chosen)
  }

  async function carryOut(nr: number, lost: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([
      saying(lost, backupTrouble.lost()),
      saying(stopping.signal, backupTrouble.stopped()),
    ])
    const chosen = targets()
    const service = { name: settings.current().DIENST, version }
    let report: BackupReport
    try {
      const watch = { signal, onProgress: progressOf(nr) }
      report = { ...(await runBackup({ ...parts, service }, chosen, watch)), zeit: now() }
    } catch (error) {
      if (!(error instanceof BackupTrouble)) log.error('the backup failed', { cause: error })
      report = failed(chosen, error instanceof BackupTrouble ? error : backupTrouble.unexpected(error))
    }
    await end(nr, report, chosen)
    const { ok, archiv, bytes, fehler } = report
    // The outcome also reaches the starter of the run: through the job's own log line, the answer to the waiting
    // person, or the chat.
    log[ok ? 'info' : 'warn']('backup ended', {
      ok,
      archive: archiv,
      bytes,
      ...(fehler && { reason: fehler }),
    })
  }

  function progressOf(nr: number) {
    let noted = Number.NEGATIVE_INFINITY
    return (step: BackupStep, done: number, total: number) => {
      if (now() - noted < PROGRESS_EVERY) return
      noted = now()
      database
        .transaction(tx => store.noteProgress(tx, nr, { step, done, total }))
        .catch(error => log.warn('the progress of the backup could not be noted', { cause: error }))
    }
  }

  /** Returns the number of the run that this call began; null when the task is held. */
  function begin(): Promise<number | null> {
    const begun = Promise.withResolvers<number | null>()
    const work = coordination.exclusively('backup', async lost => {
      // This process holds the task now, so the process that held it before is gone. An earlier run without a report
      // has died, even if no process has noticed that yet.
      const before = await store.newestRun(database.read)
      if (before && before.report === null) await bury(before.nr)
      const nr = await database.transaction(tx => store.beginRun(tx, now(), 'schreiben'))
      begun.resolve(nr)
      await carryOut(nr, lost)
    })
    work.then(done => done ?? begun.resolve(null), begun.reject)
    running = work.catch(error => log.error('the backup could not report', { cause: error }))
    return begun.promise
  }

  async function start(): Promise<number> {
    for (;;) {
      const nr = await begin()
      if (nr !== null) return nr
      const run = await store.newestRun(database.read)
      if (run && run.report === null) return run.nr
      // Another run is just about to begin and has no row yet, or has just ended and has not released the task yet.
      await Bun.sleep(LOOK_EVERY)
    }
  }

  async function report(nr: number, onProgress?: (done: number, total: number | null) => void) {
    for (;;) {
      const found = await store.reportOf(database.read, nr)
      if (found) return found
      const run = await store.newestRun(database.read)
      if (run?.nr === nr) onProgress?.(Number(run.done), run.total === null ? null : Number(run.total))
      await buryDead()
      await Bun.sleep(LOOK_EVERY)
    }
  }

  async function lastReport(): Promise<BackupReport | null> {
    await buryDead()
    const last = await store.lastEnded(database.read)
    return last && { ...last.report, orte: await placesFound(last) }
  }

  /** The number of places of a run where its archive still lies, recognised by name and length. */
  async function placesFound({ report, places }: store.EndedRun): Promise<number> {
    const folders = (places ?? placesOf(targets()).slice(0, report.orte)).map(folderOf)
    const found = await Promise.all(folders.map(lookAt))
    return found.filter(archives =>
      archives?.some(({ name, bytes }) => name === report.archiv && bytes === report.bytes),
    ).length
  }

  return {
    start,
    report,
    async run() {
      const { ok, fehler } = await report(await start())
      if (!ok) throw new BackupTrouble(fehler ?? '')
    },
    lastReport,
    async lastRun() {
      // The scheduler calls this now and then, so a run that died is reported even if nothing else looks.
      await buryDead()
      return (await store.newestRun(database.read))?.started_at ?? null
    },

    async state() {
      const letzter = await lastReport()
      const run = await store.newestRun(database.read)
      const running = run !== null && run.report === null
      const chosen = targets()
      const found = await Promise.all(foldersOf(chosen).map(lookAt))
      // A place that did not answer in time is asked nothing more, so the disks are not compared.
      const warnings = found.includes(null)
        ? (['target-disks-unknown'] as const)
        : await parts.warningsFor(chosen)
      return {
        laeuft: running,
        fortschritt: running ? onWire(run) : null,
        letzter,
        archive: together(found).map(archive =>
          // The archive of the last run may lie at places that are no longer targets. Its number of places comes from
          // the last report, so that both lines on a page say the same.
          archive.name === letzter?.archiv ? { ...archive, orte: letzter.orte } : archive,
        ),
        warnungen: warnings.map(code => WARNINGS[code]),
      }
    },

    async closeArchives() {
      for (const folder of foldersOf(targets())) {
        const archives = await lookAt(folder)
        await closeAllToOthers(
          (archives ?? []).map(({ name }) => join(folder, name)),
          log,
        )
      }
    },

    async stop() {
      stopping.abort()
      await running
    },
  }
}

const foldersOf = ({ first, second }: Targets) => (second === null ? [first] : [first, second])

/** A signal that aborts together with `signal`, with `trouble` as its reason. */
function saying(signal: AbortSignal, trouble: BackupTrouble): AbortSignal {
  if (signal.aborted) return AbortSignal.abort(trouble)
  const said = new AbortController()
  signal.addEventListener('abort', () => said.abort(trouble), { once: true })
  return said.signal
}

const onWire = (run: store.RunRow) => ({
  schritt: run.step as BackupStep,
  erledigt: Number(run.done),
  gesamt: run.total === null ? null : Number(run.total),
  seit: Number(run.started_at),
})

/** Lists each archive once, with the number of places that have it. */
function together(places: readonly (FoundArchive[] | null)[]): BackupState['archive'] {
  const found = new Map<string, { archive: FoundArchive; places: number }>()
  for (const archive of places.flatMap(archives => archives ?? []))
    found.set(archive.name, { archive, places: (found.get(archive.name)?.places ?? 0) + 1 })
  return [...found.values()]
    .sort((a, b) => newestFirst(a.archive, b.archive))
    .map(({ archive: { name, at, bytes, complete }, places }) => ({
      name,
      zeit: at,
      bytes,
      orte: places,
      vollstaendig: complete,
    }))
}

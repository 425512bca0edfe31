/** The backup as the other features see it: starts runs, waits for their reports, and shows the state. */
import { join } from 'node:path'
import type { BackupReport, BackupState, BackupStep } from '../../contract/service/backup.ts'
import { BackupTrouble } from '../../errors/errors.ts'
import { closeAllToOthers } from '../../storage/local/close-to-others.ts'
import { longPath } from '../../storage/local/platform.ts'
import { newestFirst } from './archive/archive-name.ts'
import type { FoundArchive } from './places/place.ts'
import { createLookAt } from './places/place-look.ts'
import { createTargetNames, foldersOf } from './places/targets.ts'
import * as store from './run/backup.store.ts'
import { beginRun, isOfDeadRun, type ReportedRunParts, reportDeadRun } from './run/reported-run.ts'
import { warningsAfter } from './run/warnings.ts'

/**
 * Milliseconds between two looks at a run by a caller that waits for it; the run may belong to another
 * process.
 */
const LOOK_EVERY = 200

export interface Backup {
  /**
   * Begins a run, or joins the run that is under way in any process. Resolves when the run has begun;
   * `report` resolves when it has ended. If a joined run turns out to have died with its process, another one
   * follows, and `report` is of that one.
   */
  start(options?: StartOptions): Promise<StartedRun>
  /** Begins or joins a run and waits for its end, for the daily job. Rejects when the run fails. */
  run(): Promise<void>
  state(): Promise<BackupState>
  /**
   * The report of the last run; its number of places counts where the archive is found now. Null before the
   * first run has ended.
   */
  lastReport(): Promise<BackupReport | null>
  /**
   * The file of an archive at one of the targets in force; null when no target has an archive of this name.
   */
  archiveFile(name: string): Promise<string | null>
  /** When the last run began, whether that run succeeded or not. */
  lastRun(): Promise<number | null>
  /**
   * Closes the archives at both places to other users of this machine. The folders around them are left as
   * they are, since they may belong to somebody else.
   */
  closeArchives(): Promise<void>
  /** Aborts the run of this process, whose report then says so. Resolves when the report is written. */
  stop(): Promise<void>
}

export interface StartedRun {
  report: Promise<BackupReport>
}

export interface StartOptions {
  /** A run that begins saves the rows without the bytes. */
  onlyList?: boolean
  /** Called again and again with how far the run is. */
  onProgress?: (done: number, total: number | null) => void
}

export interface BackupParts extends Omit<ReportedRunParts, 'targets' | 'lookAt'> {
  dataDir: string
}

export function createBackup(backupParts: BackupParts): Backup {
  const { database, log } = backupParts
  const parts = { ...backupParts, targets: createTargetNames(backupParts), lookAt: createLookAt() }
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()

  async function beginOrJoin(onlyList: boolean): Promise<{ nr: number; own?: Promise<unknown> }> {
    for (;;) {
      const { begun, ended } = beginRun(parts, stopping.signal, onlyList)
      // Also while an earlier call of this process is at work: `stop` waits for all of them.
      running = Promise.all([running, ended])
      const nr = await begun
      if (nr !== null) return { nr, own: ended }
      const run = await store.newestRun(database.read)
      if (run && run.report === null) return { nr: run.nr }
      // Another run is just about to begin and has no row yet, or has just ended and has not released the
      // task yet.
      await Bun.sleep(LOOK_EVERY)
    }
  }

  async function start(options: StartOptions = {}): Promise<StartedRun> {
    const { nr, own } = await beginOrJoin(options.onlyList ?? false)
    const report = waitForReport(parts, nr, options.onProgress).then(async found => {
      // A run of this process has also sent its messages and released its task then.
      await own
      // The run of a dead process looks like one under way until its task falls free.
      if (own || !isOfDeadRun(found) || stopping.signal.aborted) return found
      return (await start(options)).report
    })
    // The caller may not wait for it.
    report.catch(() => {})
    return { report }
  }

  return {
    start,
    async run() {
      const { ok, fehler } = await (await start()).report
      if (!ok) throw new BackupTrouble(fehler ?? '')
    },
    state: () => stateOf(parts),
    lastReport: () => lastReport(parts),
    async archiveFile(name) {
      // Only a name that was found there is put into a path, so that no name leads out of the folder.
      for (const folder of foldersOf(parts.targets.inForce())) {
        const found = (await parts.lookAt(folder))?.find(archive => archive.name === name)
        if (found) return longPath(join(folder, found.name))
      }
      return null
    },
    async lastRun() {
      // The scheduler calls this now and then, so a run that died is reported even if nothing else looks.
      await reportDeadRun(parts)
      return (await store.newestRun(database.read))?.started_at ?? null
    },
    async closeArchives() {
      for (const folder of foldersOf(parts.targets.inForce())) {
        const archives = (await parts.lookAt(folder)) ?? []
        const files = archives.map(({ name }) => join(folder, name))
        await closeAllToOthers(files, log)
      }
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function waitForReport(
  parts: ReportedRunParts,
  nr: number,
  onProgress: StartOptions['onProgress'],
): Promise<BackupReport> {
  const { read } = parts.database
  for (;;) {
    const found = await store.reportOf(read, nr)
    if (found) return found
    const run = await store.newestRun(read)
    if (run?.nr === nr) onProgress?.(Number(run.done), run.total === null ? null : Number(run.total))
    await reportDeadRun(parts)
    await Bun.sleep(LOOK_EVERY)
  }
}

async function lastReport(parts: ReportedRunParts): Promise<BackupReport | null> {
  await reportDeadRun(parts)
  const last = await store.lastEnded(parts.database.read)
  return last && { ...last.report, orte: await placesFound(parts, last) }
}

/** The number of places of a run where its archive still lies, recognised by name and length. */
async function placesFound({ targets, lookAt }: ReportedRunParts, { report, places }: store.EndedRun) {
  const names = places ?? targets.namesOf(targets.inForce()).slice(0, report.orte)
  const found = await Promise.all(names.map(name => lookAt(targets.folderOf(name))))
  return found.filter(archives =>
    archives?.some(({ name, bytes }) => name === report.archiv && bytes === report.bytes),
  ).length
}

async function stateOf(parts: ReportedRunParts): Promise<BackupState> {
  const letzter = await lastReport(parts)
  const run = await store.newestRun(parts.database.read)
  const chosen = parts.targets.inForce()
  const found = await Promise.all(foldersOf(chosen).map(parts.lookAt))
  const underWay = run?.report === null ? run : null
  return {
    laeuft: underWay !== null,
    fortschritt: underWay && onWire(underWay),
    letzter,
    archive: together(found).map(archive =>
      // The archive of the last run may lie at places that are no longer targets. Its number of places comes
      // from the last report, so that both lines on a page say the same.
      archive.name === letzter?.archiv ? { ...archive, orte: letzter.orte } : archive,
    ),
    ...(await warningsAfter(found, parts, chosen)),
  }
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

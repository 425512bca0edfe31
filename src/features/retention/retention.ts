/**
 * Retention: moves files to the trash when their retention period ends. A run works in steps of one
 * transaction each, so that uploads and other requests run in between; all files that a rule moves in a run
 * are one action in the history. Saved rules apply from the next run on; saving changed rules ends a run in
 * progress.
 */

import { isDeepStrictEqual } from 'node:util'
import { LONG_TRANSACTION, pace } from '../../base/pace.ts'
import { retentionDetail } from '../../contract/files/history-details.ts'
import { RETENTION_RUN_TIME, RETENTION_TRIAL_EXAMPLES } from '../../contract/files/retention.ts'
import { splitPath } from '../../contract/paths/path-parts.ts'
import { failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import { type Area, isPathInside, overlapsFolder } from '../../http/access/library-area.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import { nextOccurrence } from '../../jobs/daily.ts'
import type { FeatureParts } from '../feature.ts'
import { recordAdministration } from '../history/administration.store.ts'
import { findByPath } from '../media/media.store.ts'
import type { Relocations } from '../media/relocations.ts'
import type { Retrievals } from '../retrievals/retrievals.ts'
import { moveToTrash } from '../trash/move-to-trash.ts'
import { trashTotal } from '../trash/trash.store.ts'
import {
  countDueFiles,
  type DueFolders,
  findDueFolders,
  foldersUnderRule,
  listDueExamples,
  listRules,
  periodStartOf,
  readDueRows,
  replaceRules,
} from './retention.store.ts'
import {
  dueTimeOf,
  isMovingRule,
  latestDueStart,
  type MovingRule,
  type Rule,
  ruleForFolder,
} from './rules.ts'

/** Maximum number of files per step. A step of this size takes about a tenth of a second. */
const FILES_PER_STEP = 1000

export interface MovedAmount {
  files: number
  bytes: number
}
const NOTHING_MOVED: MovedAmount = { files: 0, bytes: 0 }
const addAmounts = (a: MovedAmount, b: MovedAmount) => ({
  files: a.files + b.files,
  bytes: a.bytes + b.bytes,
})

export type Retention = ReturnType<typeof createRetention>

export interface RetentionParts
  extends Pick<FeatureParts, 'database' | 'coordination' | 'now' | 'newId' | 'log'> {
  clockWatch: Pick<ClockWatch, 'mayRemoveByAge'>
  /**
   * Writes retrieval counts from memory to the database, because a period may start at the last retrieval.
   */
  retrievals: Pick<Retrievals, 'flush'>
  relocations: Pick<Relocations, 'kick'>
  /** Maximum size of the trash in bytes. */
  trashMaxBytes: () => number
}

export function createRetention(parts: RetentionParts) {
  const { database, coordination, clockWatch, retrievals, now, log } = parts
  const { slowRead } = database
  const runRules = createRunRules(parts)
  const nextRunAfter = (dueTime: number) => nextOccurrence(RETENTION_RUN_TIME, Math.max(now(), dueTime - 1))

  /**
   * Moves the files that are due to the trash. If the clock may be wrong, moves nothing and returns null.
   * The caller must hold the lease `retention`.
   */
  async function runUnderLease(actor: Actor, signal: AbortSignal): Promise<MovedAmount | null> {
    if (!(await clockWatch.mayRemoveByAge())) return null
    await retrievals.flush()
    const movedFiles = await runRules(actor, signal)
    const { bytes } = await trashTotal(database.read)
    if (movedFiles.files > 0 && bytes > parts.trashMaxBytes())
      log.warn(
        'the trash is larger than allowed after the retention run; its oldest entries will be removed',
        {
          moved: movedFiles.files,
          over: bytes - parts.trashMaxBytes(),
        },
      )
    return movedFiles
  }

  return {
    /** The rules whose folder is in the area, or contains a folder of the area. */
    rules: async (area: Area) =>
      (await listRules(database.read)).filter(({ folder }) => overlapsFolder(folder, area)),

    save: (rules: readonly Rule[], actor: Actor) =>
      database.transaction(async tx => {
        const savedRules = await listRules(tx)
        if (isDeepStrictEqual(savedRules, rules)) return
        await replaceRules(tx, rules)
        const historyTexts = { old: rulesText(savedRules), new: rulesText(rules) }
        await recordAdministration(tx, actor, now(), { what: 'fristen_geaendert', ...historyTexts })
      }),

    /**
     * Returns how many files each of these rules would move now, their total size in bytes, and the paths of
     * a few of them. Moves nothing.
     */
    async tryRules(rules: readonly Rule[]) {
      await retrievals.flush()
      const outcomes: (MovedAmount & { rule: Rule; examples: string[] })[] = []
      for (const rule of rules) {
        let total = NOTHING_MOVED
        let examples: Awaited<ReturnType<typeof listDueExamples>> = []
        for await (const dueFolders of dueFoldersOfRule(slowRead, rules, rule, now())) {
          total = addAmounts(total, await countDueFiles(slowRead, dueFolders))
          examples = [...examples, ...(await listDueExamples(slowRead, dueFolders))]
            .sort((a, b) => a.since - b.since)
            .slice(0, RETENTION_TRIAL_EXAMPLES)
        }
        outcomes.push({ rule, ...total, examples: examples.map(({ path }) => path) })
      }
      return outcomes
    },

    /**
     * Returns the time of the next daily run. Also returns, for each rule that `rules` lists for the area,
     * the time of the first daily run in which this rule will move a file of the area; null if there is no
     * such run.
     */
    async dates(area: Area) {
      const rules = await listRules(slowRead)
      const dates: { folder: string; next: number | null }[] = []
      for (const rule of rules.filter(({ folder }) => overlapsFolder(folder, area))) {
        let oldestStart = Number.POSITIVE_INFINITY
        if (isMovingRule(rule))
          for await (const folders of foldersUnderRule(slowRead, rules, rule))
            for (const { folder, oldest: folderOldest } of folders)
              if (isPathInside(folder, area)) oldestStart = Math.min(oldestStart, folderOldest)
        const nextTime =
          isMovingRule(rule) && Number.isFinite(oldestStart)
            ? nextRunAfter(dueTimeOf(rule, oldestStart))
            : null
        dates.push({ folder: rule.folder, next: nextTime })
      }
      return { nextRun: nextRunAfter(0), dates }
    },

    /**
     * Returns the rule that applies to a file, the start of the file's period, and the time of the daily run
     * that will move the file. The rule is null if none applies. The two times are null if no rule moves the
     * file.
     */
    async findForFile(
      path: string,
    ): Promise<{ rule: Rule | null; periodStart: number | null; endsAt: number | null }> {
      const file = await findByPath(database.read, path)
      if (!file) throw failure.fileAbsent()
      const rule = ruleForFolder(await listRules(database.read), splitPath(path).folder)
      if (!rule || !isMovingRule(rule)) return { rule, periodStart: null, endsAt: null }
      const periodStart = await periodStartOf(database.read, file.nr, rule.start)
      return {
        rule,
        periodStart,
        endsAt: periodStart === null ? null : nextRunAfter(dueTimeOf(rule, periodStart)),
      }
    },

    /**
     * Moves the files that are due to the trash. Rejects with 409 while another run is in progress, or if the
     * clock may be wrong.
     */
    async runNow(actor: Actor) {
      const outcome = await coordination.exclusively('retention', signal => runUnderLease(actor, signal))
      if (!outcome) throw failure.retentionRunning()
      if (!outcome.result) throw failure.clockDoubted()
      return outcome.result
    },

    async runDaily(signal: AbortSignal) {
      if ((await listRules(database.read)).length > 0) await runUnderLease('service', signal)
    },
  }
}

/**
 * Returns a function that reads the saved rules and moves all files that are due under them. When `signal`
 * aborts or the rules change, the remaining files are left to the next run.
 */
function createRunRules({ database, relocations, now, newId }: RetentionParts) {
  const { rowsPerStatement } = database.queryTraits

  /** Moves the files of one step; null if the rules have changed since the run began. */
  const runStep = (
    rules: readonly Rule[],
    dueFolders: DueFolders,
    context: { actor: Actor; at: number; action: string },
  ) =>
    database.transaction(async tx => {
      if (!isDeepStrictEqual(await listRules(tx), rules)) return null
      const details = retentionDetail(dueFolders.rule.folder)
      let movedFiles = NOTHING_MOVED
      for await (const rows of readDueRows(tx, dueFolders, { limit: FILES_PER_STEP, rowsPerStatement })) {
        await moveToTrash(tx, rows, context.actor, { ...context, reason: 'frist', details })
        for (const { size } of rows) movedFiles = addAmounts(movedFiles, { files: 1, bytes: size })
        await pace()
      }
      return movedFiles
    }, LONG_TRANSACTION)

  return async (actor: Actor, signal: AbortSignal): Promise<MovedAmount> => {
    const rules = await listRules(database.read)
    // The whole run uses the same time: a file that becomes due meanwhile is left to the next run.
    const runTime = now()
    let total = NOTHING_MOVED
    for (const rule of rules) {
      const action = newId()
      for await (const dueFolders of dueFoldersOfRule(database.slowRead, rules, rule, runTime)) {
        let movedFiles: MovedAmount | null
        do {
          if (signal.aborted) return total
          movedFiles = await runStep(rules, dueFolders, { actor, at: runTime, action })
          if (movedFiles === null) return total
          if (movedFiles.files > 0) relocations.kick()
          total = addAmounts(total, movedFiles)
        } while (movedFiles.files === FILES_PER_STEP)
      }
    }
    return total
  }
}

async function* dueFoldersOfRule(
  db: Parameters<typeof findDueFolders>[0],
  rules: readonly Rule[],
  rule: Rule,
  time: number,
): AsyncGenerator<DueFolders> {
  if (!isMovingRule(rule)) return
  const movingRule: MovingRule = rule
  const latestStart = latestDueStart(movingRule, time)
  for await (const folders of findDueFolders(db, rules, { rule: movingRule, latestStart }))
    yield { rule: movingRule, folders, latestStart }
}

/** The rules as text for the administration history; null if there are none. */
const rulesText = (rules: readonly Rule[]): string | null =>
  rules
    .map(({ folder, days, start }) => `${folder || '/'}: ${days === null ? '–' : `${days} (${start})`}`)
    .join(', ') || null

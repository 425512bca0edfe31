/**
 * The n-th operation on storage or database fails during backup, restore, rebuild and migrate. An archive is
 * complete or absent, an instance is the earlier or the new one, the caller gets a sentence, and the next
 * attempt works.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beginNewDatabase, beginNewInstance } from '../../src/adapters/adapters.ts'
import { openStoppedInstance } from '../../src/adapters/stopped-instance.ts'
import { newId } from '../../src/base/ids.ts'
import { createLog } from '../../src/base/log.ts'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/database/database.ts'
import { openBackupInstance } from '../../src/features/backup/testing.ts'
import { copyInstance } from '../../src/features/migrate/migrate.ts'
import { rebuildIndex } from '../../src/features/rebuild/rebuild.ts'
import { checkArchive, restoreArchive } from '../../src/features/restore/restore.ts'
import { createLeases } from '../../src/jobs/leases.ts'
import { CommandFailure, UsageError } from '../../src/program/commands/command.ts'
import { commandErrorOf, shownErrorOf } from '../../src/program/commands/trouble.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { randomBytes } from '../support/bytes.ts'
import { removeDatabase } from '../support/data-folder.ts'
import { useFolder } from '../support/folder.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { readRows } from './disk.ts'
import { createFaults, faultyDatabase, faultyInstance, faultyStorage, WAYS } from './faults.ts'
import { checkInstance } from './faulty-service.ts'

setDefaultTimeout(600_000)

/** A full disk stays full; anything else fails once. */
const LIKELY_WAYS = WAYS.filter(({ kind, lasting }) => lasting === (kind === 'full'))
const MOST_OPERATIONS = 2_000
/** Distance between two operations that are made to fail. */
const STEP = isOrdinaryRun ? 25 : 1
/** Milliseconds after which a lasting fault ends, unless the command has given up before. */
const LASTS = 1_000
/** A lease that could not be released delays the next run, like that of a dead process. */
const SHORT_LEASE = { leaseTime: 3_000, renewalInterval: 500 }

const root = await useFolder()
const faults = createFaults()
const log = createLog({ level: 'error', isHumanReadable: true, write: () => {} })
const newFolder = () => mkdtemp(join(root, 'instance-'))
const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir })

/** A stopped instance, and an archive of it. */
async function makeInstance(files: Record<string, string>) {
  await using instance = await openBackupInstance()
  for (const [path, content] of Object.entries(files)) await instance.store(path, content)
  const { report } = await instance.backup().start()
  const { archiv } = await report
  const folder = await newFolder()
  const archive = join(folder, 'sicherung', archiv!)
  await cp(instance.target, join(folder, 'sicherung'), { recursive: true })
  await instance.database.waitUntilDurable()
  const dataDir = join(folder, 'data')
  await cp(instance.root, dataDir, { recursive: true, filter: name => !/\/(staging|sicherung)$/.test(name) })
  return { dataDir, archive, rows: rowsOf(dataDir) }
}

/** Whether a command shows this error as a single sentence. */
function isSentence(error: unknown, dataDir: string): boolean {
  const shown = shownErrorOf({ dataDir, log }, commandErrorOf(error))
  return [CommandFailure, UsageError, ConfigError].some(kind => shown instanceof kind)
}

const rowsOf = (dataDir: string) =>
  JSON.stringify(readRows(dataDir).map(({ path, sha256 }) => [path, sha256]))

/** Runs `work` until none of its operations fails; `judge` examines the result, and lets it try again. */
async function everyPoint(
  name: string,
  work: (at: string) => Promise<unknown>,
  { prepare, judge }: { prepare(): Promise<string>; judge(at: string, done: boolean): Promise<string[]> },
): Promise<void> {
  const totals = { attempts: 0, failures: 0 }
  for (const way of LIKELY_WAYS)
    for (let n = 1; ; n += STEP) {
      if (n > MOST_OPERATIONS) throw new Error('no end of operations')
      const at = await prepare()
      faults.arm({ ...way, at: n })
      // A single fault ends by itself; a timer might end it on a busy machine before it happens.
      const ending = way.lasting ? setTimeout(() => faults.disarm(), LASTS) : undefined
      const error = await work(at).then(
        () => null,
        thrown => thrown as unknown,
      )
      clearTimeout(ending)
      const failed = faults.disarm()
      const violations = [
        ...(error === null || isSentence(error, at) ? [] : [`no sentence: ${error}`]),
        ...(await judge(at, error === null)),
      ]
      if (violations.length > 0)
        throw new Error(`${way.kind}, ${failed[0]}, number ${n}:\n${violations.join('\n')}\n${error}`)
      await rm(at, { recursive: true, force: true })
      if (failed.length === 0) break
      totals.attempts++
      totals.failures += error === null ? 0 : 1
    }
  console.log(`fault points of ${name}: ${JSON.stringify(totals)}`)
  expect(totals.failures).toBeGreaterThan(0)
}

/** The state at `at` is the earlier one, or the new one (always, if `work` succeeded); then it works. */
const instanceJudge =
  (earlier: string | null, wanted: string, again: (at: string) => Promise<unknown>) =>
  async (at: string, done: boolean): Promise<string[]> => {
    const violations: string[] = []
    const look = () => (isInstance(at) ? rowsOf(at) : null)
    const found = look()
    if (found !== wanted && (done || found !== earlier)) violations.push(`found ${found}`)
    if (found === earlier && found !== wanted) await again(at)
    if (look() !== wanted) violations.push(`the next attempt leaves ${look()}`)
    violations.push(...(await checkInstance(at)).violations)
    const parts = (await readdir(at)).filter(each => /\.teil$|^\.umzug|^\.wieder/.test(each))
    return [...violations, ...parts.map(part => `${part} is left`)]
  }

const isInstance = (dataDir: string) => {
  try {
    return readRows(dataDir).length > 0
  } catch {
    return false
  }
}

const EARLIER = { 'a.txt': 'earlier', 'only/earlier.txt': 'x' }
const WANTED = {
  'a.txt': 'wanted',
  'b/long.bin': Buffer.from(randomBytes(3, 90_000)).toString('base64'),
  'b/c.txt': 'c',
}

leftToLong('backup: each archive is whole, and a report of success has one', async () => {
  await using instance = await openBackupInstance()
  for (const [path, content] of Object.entries(WANTED)) await instance.store(path, content)
  const run = async (database: Database, storage: Storage) => {
    const coordination = createLeases({ database, newId, now: Date.now, log, ...SHORT_LEASE })
    const backup = instance.backup({ database, storage, coordination })
    try {
      return await (await backup.start()).report
    } finally {
      // A caller whose own query fails gets an error while the run goes on; the next one would join it.
      await backup.stop()
    }
  }
  const work = async () => {
    const { database, storage } = instance
    const report = await run(faultyDatabase(database, faults), faultyStorage(storage, faults))
    if (report.fehler_codes?.includes('backup-unexpected')) throw new Error(report.fehler)
    if (!report.ok) throw new CommandFailure(report.fehler!, report.fehler!)
  }
  const archives = async () =>
    (await readdir(instance.target).catch(() => [])).filter(each => each.endsWith('.tar'))
  await everyPoint('backup', work, {
    prepare: async () => {
      await rm(instance.target, { recursive: true, force: true })
      return newFolder()
    },
    async judge(_, done) {
      const violations: string[] = []
      const found = await archives()
      if (done && found.length !== 1) violations.push(`${found.length} archives after a success`)
      for (const name of found) await checkArchive(join(instance.target, name), () => {})
      const again = await run(instance.database, instance.storage)
      if (!again.ok) violations.push(`the next run: ${again.fehler}`)
      return violations
    },
  })
})

test('restore: the instance is the earlier one or that of the archive', async () => {
  const [earlier, wanted] = [await makeInstance(EARLIER), await makeInstance(WANTED)]
  const restore = (at: string, isFaulty: boolean) =>
    restoreArchive(
      {
        begin: async () => {
          const instance = await beginNewInstance(configOf(at), { log })
          return isFaulty ? faultyInstance(instance, faults) : instance
        },
        onProgress() {},
      },
      { address: wanted.archive, location: at, force: true },
    )
  await everyPoint('restore', at => restore(at, true), {
    prepare: () => copyOf(earlier.dataDir),
    judge: instanceJudge(earlier.rows, wanted.rows, at => restore(at, false)),
  })
})

test('rebuild: there is no index, or a complete one', async () => {
  const { dataDir, rows } = await makeInstance(WANTED)
  const rebuild = async (at: string, isFaulty: boolean) => {
    const index = await beginNewDatabase(configOf(at))
    try {
      const report = await index.fillOrResume((database, storage) =>
        rebuildIndex({
          database: isFaulty ? faultyDatabase(database, faults) : database,
          storage: isFaulty ? faultyStorage(storage, faults) : storage,
          now: Date.now,
          onProgress() {},
        }),
      )
      // Like the command: it names the unreadable files and changes nothing.
      if (report.unreadable.count > 0) return
      await index.swap()
    } finally {
      await index.release()
    }
  }
  await everyPoint('rebuild', at => rebuild(at, true), {
    async prepare() {
      const at = await copyOf(dataDir)
      await removeDatabase(at)
      return at
    },
    judge: async (at, done) =>
      instanceJudge(null, rows, each => rebuild(each, false))(at, done && isInstance(at)),
  })
})

leftToLong('migrate: the target has nothing, or everything, and the source is as it was', async () => {
  const { dataDir, rows } = await makeInstance(WANTED)
  const migrate = async (at: string, isFaulty: boolean) => {
    await using source = (await openStoppedInstance(configOf(dataDir), log))!
    const begun = await beginNewInstance(configOf(at), { log, resumeId: 'abcdef' })
    const target = isFaulty ? faultyInstance(begun, faults) : begun
    const from = isFaulty
      ? { database: faultyDatabase(source.database, faults), storage: faultyStorage(source.storage, faults) }
      : source
    try {
      await copyInstance({ source: from, target, onProgress() {} })
      await target.swap()
    } finally {
      await target.release()
    }
  }
  await everyPoint('migrate', at => migrate(at, true), {
    prepare: newFolder,
    async judge(at, done) {
      const violations = await instanceJudge(null, rows, each => migrate(each, false))(at, done)
      if (rowsOf(dataDir) !== rows) violations.push('the source has changed')
      return violations
    },
  })
  expect((await checkInstance(dataDir)).violations).toEqual([])
})

async function copyOf(dataDir: string): Promise<string> {
  const at = await newFolder()
  await cp(dataDir, at, { recursive: true })
  return at
}

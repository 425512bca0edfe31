/**
 * The basis of unit tests: a real store and database in a temporary folder, and a log whose lines are kept.
 * Features add what they need in a `testing.ts`.
 */
import { afterAll } from 'bun:test'
import { join } from 'node:path'
import { openFolder } from '../../test/support/folder.ts'
import { createLostChangesDetector } from '../adapters/lost-changes.ts'
import { newId } from '../base/ids.ts'
import { createLog, type LogLevel } from '../base/log.ts'
import { createDiskFaults } from '../base/system/disk-faults.ts'
import { DATABASE_FILE } from '../database/sqlite/file.ts'
import { openSqlite } from '../database/sqlite/sqlite.ts'
import type { ClockWatch } from '../jobs/clock-watch.ts'
import { createLeases } from '../jobs/leases.ts'
import { createDiskStorage } from '../storage/disk/disk.ts'
import { writeNewDatabase } from './new-database.ts'

/** A `ClockWatch` for which the clock is always reliable, for tests that move the clock by days. */
export const STEADY_CLOCK: ClockWatch = { mayRemoveByAge: async () => true, isDoubted: async () => false }

/** Replaces `LostChangesDetector` for a database that has lost no changes. */
export const NOTHING_LOST = { knownLoss: async () => null, find: async () => null }

export type Instance = Awaited<ReturnType<typeof openInstance>>

export interface InstanceOptions {
  /** The lowest log level whose lines are kept. */
  level?: LogLevel
  now?: () => number
}

export async function openInstance({ level = 'debug', now = Date.now }: InstanceOptions = {}) {
  const folder = await openFolder()
  const root = folder.path
  const file = join(root, DATABASE_FILE)
  const storage = await createDiskStorage({ root, newId })
  await writeNewDatabase(file)
  const database = await openSqlite({ file })
  const lines: string[] = []
  const log = createLog({ level, isHumanReadable: false, write: line => lines.push(line) })
  return {
    root,
    /** The path of an object, or of anything else in the folder. */
    at: (name: string) => join(root, name),
    file,
    storage,
    database,
    coordination: createLeases({ database, newId, now, log }),
    lostChanges: createLostChangesDetector({ database, storage, now, log }),
    faults: createDiskFaults(log),
    log,
    lines,
    async [Symbol.asyncDispose]() {
      await storage.close()
      await database.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Called at the top of a test file. Disposes of the instance after the last test of the file. */
export async function useInstance(options?: InstanceOptions): Promise<Instance> {
  const instance = await openInstance(options)
  afterAll(() => instance[Symbol.asyncDispose]())
  return instance
}

/**
 * What unit tests stand on: a real store and a real database in a temporary folder, and a log that is kept. Tests of one
 * feature add to it what only they need (`testing.ts` beside the feature).
 */
import { afterAll } from 'bun:test'
import { join } from 'node:path'
import { openFolder } from '../../test/support/folder.ts'
import { createLeases } from '../coordination/leases.ts'
import { openSqlite } from '../database/sqlite.ts'
import { DATABASE_FILE } from '../database/sqlite-file.ts'
import { newId } from '../ids.ts'
import { createLog, type LogLevel } from '../log.ts'
import { createDiskStorage } from '../storage/disk.ts'

export type Instance = Awaited<ReturnType<typeof openInstance>>

export interface InstanceOptions {
  /** The least that is kept of the log. */
  level?: LogLevel
  now?: () => number
}

/** For `await using`. */
export async function openInstance({ level = 'debug', now = Date.now }: InstanceOptions = {}) {
  const folder = await openFolder()
  const root = folder.path
  const file = join(root, DATABASE_FILE)
  const storage = await createDiskStorage({ root, newId })
  const database = await openSqlite({ file })
  const lines: string[] = []
  const log = createLog({ level, readable: false, write: line => lines.push(line) })
  return {
    root,
    /** The path of an object, or of anything else in the folder. */
    at: (name: string) => join(root, name),
    /** The database's. */
    file,
    storage,
    database,
    coordination: createLeases({ database, newId, now, log }),
    log,
    lines,
    async [Symbol.asyncDispose]() {
      await database.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** At the top of a test file: there until its last test is over. */
export async function useInstance(options?: InstanceOptions): Promise<Instance> {
  const instance = await openInstance(options)
  afterAll(() => instance[Symbol.asyncDispose]())
  return instance
}

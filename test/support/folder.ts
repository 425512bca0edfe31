/** Temporary folders, for tests inside and outside the service. */
import { afterAll } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Set by test/run.ts, which puts temporary folders into memory: where they would lie otherwise. */
export const DISK_VARIABLE = 'FUNDUS_TEST_DISK'

/** For tests in which the disk plays a part: where temporary folders lie on a real one. */
export const realDisk = () => process.env[DISK_VARIABLE] ?? tmpdir()

/** For `await using`. */
export async function openFolder(place = tmpdir()): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(place, 'fundus-test-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** At the top of a test file: there until its last test is over. */
export async function useFolder(place?: string): Promise<string> {
  const folder = await openFolder(place)
  afterAll(() => folder[Symbol.asyncDispose]())
  return folder.path
}

/** Temporary folders, for tests inside and outside the service. */
import { afterAll } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Set by test/run.ts, which puts temporary folders into memory: their location otherwise. */
export const DISK_VARIABLE = 'FUNDUS_TEST_DISK'

/** The location for temporary folders on a real disk, for tests in which the disk matters. */
export const realDisk = () => process.env[DISK_VARIABLE] ?? tmpdir()

/** For `await using`. */
export async function openFolder(place = tmpdir()): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(place, 'fundus-test-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Call this at the top of a test file: the folder exists until the last test is over. */
export async function useFolder(place?: string): Promise<string> {
  const folder = await openFolder(place)
  afterAll(() => folder[Symbol.asyncDispose]())
  return folder.path
}

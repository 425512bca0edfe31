/**
 * The note that the database file could not be flushed. The kernel's page cache then differs from the disk,
 * and a second flush may report success although the disk has not changed; only the log contains everything.
 * After a reboot the kernel reads the disk again, and SQLite's recovery repeats the whole log. Until then no
 * process may open the database: it could checkpoint and truncate the log, whose changes would be lost.
 */
import { writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { ignoreAbsence } from '../../storage/local/local-object.ts'
import { bootId, longPath } from '../../storage/local/platform.ts'
import { DatabaseUnflushedError } from '../database.ts'
import { UNFLUSHED_SUFFIX } from './file.ts'

const notePathOf = (file: string) => longPath(file + UNFLUSHED_SUFFIX)

/** Writes the note; rejects if that fails. The note is not flushed: it matters only until the next boot. */
export async function noteUnflushed(file: string): Promise<void> {
  writeFileSync(notePathOf(file), (await bootId()) ?? '')
}

/**
 * Rejects with `DatabaseUnflushedError` if the note was written during the current boot. Otherwise removes
 * the note: it is older, or the boot id is not known.
 */
export async function refuseUnflushedDatabase(file: string): Promise<void> {
  const notedBootId = await readFile(notePathOf(file), 'utf8').catch(ignoreAbsence)
  if (notedBootId === null || notedBootId === undefined) return
  if (notedBootId !== '' && notedBootId === (await bootId()))
    throw new DatabaseUnflushedError('the database file could not be flushed since the machine was started')
  await rm(notePathOf(file), { force: true })
}

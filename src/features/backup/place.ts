/** A folder that archives lie in: what is there, what a dead run left, and what is too much. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder, longPath, renamePatiently } from '../../storage/platform.ts'
import { type ArchiveName, newestFirst, parseArchiveName } from './archive-name.ts'

/** Where archives lie in the data folder unless `SICHERUNG_ZIEL` names another place. */
export const DEFAULT_TARGET = 'sicherung'

/** Hidden, and no archive by its name; nobody else names files so. */
const PART = /^\.fundus-[0-9a-z]{16}\.teil(-liste)?$/
export const partFile = (folder: string, id: string) => join(folder, `.fundus-${id}.teil`)

export interface FoundArchive extends ArchiveName {
  bytes: number
}

export async function preparePlace(folder: string): Promise<void> {
  await mkdir(longPath(folder), { recursive: true })
  // Nobody is at work on them: there is one run at a time, and this is it.
  for (const name of await readdir(longPath(folder))) {
    if (PART.test(name)) await rm(longPath(join(folder, name)), { force: true })
  }
}

/** The newest first; none where the folder cannot be read. */
export async function archivesIn(folder: string): Promise<FoundArchive[]> {
  const names = await readdir(longPath(folder)).catch(() => [])
  const found: FoundArchive[] = []
  for (const name of names) {
    const parsed = parseArchiveName(name)
    const facts = parsed && (await stat(longPath(join(folder, name))).catch(() => null))
    if (facts?.isFile()) found.push({ ...parsed!, bytes: facts.size })
  }
  return found.sort(newestFirst)
}

/** Gives a finished part its name, which survives a power cut then. */
export async function publish(folder: string, part: string, name: string): Promise<void> {
  await renamePatiently(longPath(part), longPath(join(folder, name)))
  await flushFolder(folder)
}

/**
 * Takes away the oldest beyond `keep`; the newest complete one stays in any case. Only for a place that has just got an
 * archive, `fresh`: where nothing new comes nothing old may go. That one stays too: where the clocks were set back it looks
 * old.
 */
export async function thinOut(folder: string, keep: number, fresh: string): Promise<void> {
  for (const { name } of surplus(await archivesIn(folder), keep)) {
    if (name === fresh) continue
    await rm(longPath(join(folder, name)), { force: true })
  }
}

/** `archives`: the newest first. */
export function surplus<A extends Pick<ArchiveName, 'complete'>>(archives: readonly A[], keep: number): A[] {
  const last = archives.find(archive => archive.complete)
  return archives.slice(keep).filter(archive => archive !== last)
}

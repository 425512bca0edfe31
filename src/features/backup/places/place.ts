/** A folder for archives: lists them, removes remains of a dead run, and thins out old ones. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder, longPath, renamePatiently } from '../../../storage/local/platform.ts'
import { type ArchiveName, newestFirst, parseArchiveName } from '../archive/archive-name.ts'

/** An archive being written, or its checksums: hidden, and named unlike any archive or foreign file. */
const PART = /^\.fundus-[0-9a-z]{16}\.teil(-liste)?$/
export const partFile = (folder: string, id: string) => join(folder, `.fundus-${id}.teil`)

export interface FoundArchive extends ArchiveName {
  bytes: number
}

export async function preparePlace(folder: string): Promise<void> {
  await mkdir(longPath(folder), { recursive: true })
  // Nobody is writing these: only one run exists at a time, and the caller is that run.
  for (const name of await readdir(longPath(folder))) {
    if (PART.test(name)) await rm(longPath(join(folder, name)), { force: true })
  }
}

/** Newest first; empty if the folder cannot be read. */
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

/** Gives a finished part its name. When it resolves, the name survives a power cut. */
export async function publish(folder: string, part: string, name: string): Promise<void> {
  await renamePatiently(longPath(part), longPath(join(folder, name)))
  await flushFolder(folder)
}

/**
 * Removes the oldest archives beyond `keep`; the newest complete one always stays. Only for a target that has
 * just received the archive `fresh`: where nothing new arrives, nothing old may be removed. `fresh` stays
 * too, since it looks old if the clock was set back.
 */
export async function thinOut(folder: string, keep: number, fresh: string): Promise<void> {
  for (const { name } of surplus(await archivesIn(folder), keep)) {
    if (name === fresh) continue
    await rm(longPath(join(folder, name)), { force: true })
  }
}

/** The archives beyond `keep`, without the newest complete one. `archives`: newest first. */
export function surplus<A extends Pick<ArchiveName, 'complete'>>(archives: readonly A[], keep: number): A[] {
  const last = archives.find(archive => archive.complete)
  return archives.slice(keep).filter(archive => archive !== last)
}

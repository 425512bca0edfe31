/**
 * The thread that `place-inspector.ts` starts. Lists the archives in a folder and determines its free bytes,
 * with blocking calls.
 */
import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FolderListing } from './place-inspector.ts'

declare const self: Worker

self.onmessage = ({ data: folder }: MessageEvent<string>) =>
  self.postMessage({ files: filesIn(folder), freeBytes: freeBytesIn(folder) } satisfies FolderListing)

function freeBytesIn(folder: string): number | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder)
    return blocks > 0 ? bavail * bsize : null
  } catch {
    return null
  }
}

function filesIn(folder: string): FolderListing['files'] {
  try {
    const names = readdirSync(folder).filter(name => name.startsWith('fundus-'))
    return names.flatMap(name => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false })
      return stats?.isFile() ? [{ name, bytes: stats.size }] : []
    })
  } catch {
    return []
  }
}

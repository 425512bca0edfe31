/** Chooses the files whose contents a rehearsal restores: every n-th file, starting at a random one. */
import type { Manifest } from '../../contract/upload/archive.ts'
import type { Sample } from '../restore/restore.ts'

const MAX_FILES = 1000
const MAX_BYTES = 1024 ** 3

export type StoredFile = Parameters<Sample['onStored']>[0]

/** `space`: bytes that the contents may take up. */
export function createSample(
  { dateien, papierkorb, bytes }: Pick<Manifest, 'dateien' | 'papierkorb' | 'bytes'>,
  space: number,
  random: () => number = Math.random,
) {
  let left = Math.floor(Math.min(MAX_BYTES, space))
  const wanted = Math.ceil(Math.max(1, (dateien + papierkorb) / MAX_FILES, bytes / Math.max(1, left)))
  const every = Math.min(wanted, Math.max(1, dateien + papierkorb))
  let turn = Math.floor(random() * every)
  const stored: StoredFile[] = []
  return {
    /** The files that were restored, with the checksum that each should have. */
    stored,
    expectedBytes: Math.ceil(bytes / every),
    takes(size) {
      if (turn++ % every !== 0 || size > left) return false
      left -= size
      return true
    },
    onStored: file => stored.push(file),
  } satisfies Sample & { stored: StoredFile[]; expectedBytes: number }
}

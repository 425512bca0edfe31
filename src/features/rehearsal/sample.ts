/**
 * Chooses the files whose contents a rehearsal restores: every n-th file, starting at a random one of the
 * first n. A file that does not fit into the remaining space is left out.
 */
import type { Manifest } from '../../contract/service/backup-archive.ts'
import type { Sample } from '../restore/fill-instance.ts'

const MAX_SAMPLE_FILES = 1000
const MAX_SAMPLE_BYTES = 1024 ** 3

export type StoredFile = Parameters<Sample['onStored']>[0]

/** `maxBytes`: number of bytes that the restored contents may take up. */
export function createSample(
  { dateien, papierkorb, bytes }: Pick<Manifest, 'dateien' | 'papierkorb' | 'bytes'>,
  maxBytes: number,
  random: () => number = Math.random,
) {
  let bytesLeft = Math.floor(Math.min(MAX_SAMPLE_BYTES, maxBytes))
  const wantedInterval = Math.ceil(
    Math.max(1, (dateien + papierkorb) / MAX_SAMPLE_FILES, bytes / Math.max(1, bytesLeft)),
  )
  const interval = Math.min(wantedInterval, Math.max(1, dateien + papierkorb))
  let index = Math.floor(random() * interval)
  const storedFiles: StoredFile[] = []
  return {
    /** The files that were restored, with the checksum that each should have. */
    storedFiles,
    expectedBytes: Math.ceil(bytes / interval),
    takes(size) {
      if (index++ % interval !== 0 || size > bytesLeft) return false
      bytesLeft -= size
      return true
    },
    onStored: file => storedFiles.push(file),
  } satisfies Sample & { storedFiles: StoredFile[]; expectedBytes: number }
}

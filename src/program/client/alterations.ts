/**
 * Remembers which pictures a service has changed when it stored them, by scaling them down or removing their
 * metadata. The hash of the stored picture differs from that of the local file. Without this record, the
 * picture would be sent again at every run.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../base/hash/sha256.ts'
import type { Environment } from '../../config/config.ts'
import { openJournal } from './journal.ts'

interface Alteration {
  path: string
  sha256: string
  stored: string
}

export type AlterationLog = Awaited<ReturnType<typeof openAlterationLog>>

export async function openAlterationLog(origin: string, environment: Environment) {
  const journal = await openJournal<Alteration>(
    join(cacheFolder(environment), `${sha256(origin).slice(0, 16)}.jsonl`),
  )
  const keyOf = (path: string, hash: string) => `${hash} ${path}`
  const storedHashes = new Map(
    journal.entries.map(({ path, sha256, stored: storedSha256 }) => [keyOf(path, sha256), storedSha256]),
  )
  return {
    /**
     * The hash of the picture that the service stored for the local file with this path and hash; undefined
     * if the service is not known to have changed it.
     */
    storedHash: (path: string, hash: string) => storedHashes.get(keyOf(path, hash)),
    async remember(path: string, hash: string, storedSha256: string) {
      storedHashes.set(keyOf(path, hash), storedSha256)
      await journal.add({ path, sha256: hash, stored: storedSha256 })
    },
  }
}

/** The folder of these records, inside the cache folder of the system. */
function cacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA }: Environment): string {
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache'), 'fundus', 'altered')
}

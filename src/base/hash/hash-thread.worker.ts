/** The thread that `hash-thread.ts` starts. */
import { createHash, type Hash } from 'node:crypto'
import { lowerThreadPriority } from '../priority.ts'
import type { HashAnswer, HashRequest } from './hash-thread.ts'

declare const self: Worker

lowerThreadPriority(Number(process.argv.at(-1)))
const hashes = new Map<number, Hash>()

self.onmessage = ({ data: { nr, command: what } }: MessageEvent<HashRequest>) => {
  const hash = hashes.get(nr) ?? createHash('sha256')
  if (what instanceof Uint8Array) {
    hashes.set(nr, hash.update(what))
    self.postMessage({ nr, memory: what.buffer } satisfies HashAnswer, [what.buffer])
    return
  }
  hashes.delete(nr)
  if (what === 'digest') self.postMessage({ nr, sha256: hash.digest('hex') } satisfies HashAnswer)
}

/** The thread that `hash-thread.ts` starts. */
import { createHash, type Hash } from 'node:crypto'
import { lowerThreadPriority } from '../priority.ts'
import type { HashAnswer, HashRequest } from './hash-thread.ts'

declare const self: Worker

lowerThreadPriority(Number(process.argv.at(-1)))
const hashes = new Map<number, Hash>()

self.onmessage = ({ data: { nr, command } }: MessageEvent<HashRequest>) => {
  const hash = hashes.get(nr) ?? createHash('sha256')
  if (command instanceof Uint8Array) {
    hashes.set(nr, hash.update(command))
    self.postMessage({ nr, memory: command.buffer } satisfies HashAnswer, [command.buffer])
    return
  }
  hashes.delete(nr)
  if (command === 'digest') self.postMessage({ nr, sha256: hash.digest('hex') } satisfies HashAnswer)
}

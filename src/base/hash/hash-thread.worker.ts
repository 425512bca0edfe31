/** The thread that `hash-thread.ts` starts: computes SHA-256 hashes, several at a time, chunk by chunk. */
import { createHash, type Hash } from 'node:crypto'
import { lowerThreadPriority } from '../system/priority.ts'
import type { HashAnswer, HashRequest } from './hash-thread.ts'

declare const self: Worker

lowerThreadPriority(Number(process.argv.at(-1)))
const hashes = new Map<number, Hash>()

self.onmessage = ({ data: { hashId, command } }: MessageEvent<HashRequest>) => {
  const hash = hashes.get(hashId) ?? createHash('sha256')
  if (command instanceof Uint8Array) {
    hashes.set(hashId, hash.update(command))
    self.postMessage({ hashId, memory: command.buffer } satisfies HashAnswer, [command.buffer])
    return
  }
  hashes.delete(hashId)
  if (command === 'digest') self.postMessage({ hashId, sha256: hash.digest('hex') } satisfies HashAnswer)
}

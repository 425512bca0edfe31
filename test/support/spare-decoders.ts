/**
 * Decoder processes that outlive the service that started them, because starting one takes a third of a
 * second.
 */
import type { DecoderProcess, StartDecoder } from '../../src/images/child.ts'
import { startNormalPriorityDecoder } from '../../src/testing/normal-priority-decoder.ts'

const spare: DecoderProcess[] = []

function takeSpare(): DecoderProcess | undefined {
  for (let child = spare.pop(); child; child = spare.pop()) if (child.isUsable) return child
  return undefined
}

/** For services that all have the same decoder settings. */
export const decoderOrSpare: StartDecoder = settings => {
  const left = Promise.withResolvers<void>()
  const child = takeSpare() ?? startNormalPriorityDecoder(settings)
  let state: 'idle' | 'busy' | 'spent' | 'left' = 'idle'
  return {
    pid: child.pid,
    get isUsable() {
      return state !== 'left' && child.isUsable
    },
    exited: Promise.race([child.exited, left.promise]),
    async run(job) {
      state = 'busy'
      const reply = await child.run(job)
      state = reply.spent ? 'spent' : 'idle'
      return reply
    },
    stop(reason) {
      if (reason !== 'closed' || state !== 'idle' || !child.isUsable) return child.stop(reason)
      state = 'left'
      spare.push(child)
      left.resolve()
    },
  }
}

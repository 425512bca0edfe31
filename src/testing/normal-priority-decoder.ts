/**
 * A decoder with normal priority. While a test run keeps every core busy, each job of a decoder with low
 * priority would take seconds.
 */
import { setSessionNiceness } from '../base/system/priority.ts'
import { type DecoderProcess, type StartDecoder, startDecoderProcess } from '../images/child.ts'

export const startNormalPriorityDecoder: StartDecoder = settings => {
  const child = startDecoderProcess(settings)
  const run: DecoderProcess['run'] = job => {
    setSessionNiceness(child.pid, 0)
    return child.run(job)
  }
  return Object.create(child, { run: { value: run } }) as DecoderProcess
}

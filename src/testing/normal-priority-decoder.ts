/**
 * A decoder with normal priority. While a test run keeps every core busy, each job of a decoder with low
 * priority would take seconds.
 */
import { setSessionNiceness } from '../base/system/priority.ts'
import { type Child, type StartDecoder, startChild } from '../images/child.ts'

export const startNormalPriorityDecoder: StartDecoder = settings => {
  const child = startChild(settings)
  const run: Child['run'] = job => {
    setSessionNiceness(child.pid, 0)
    return child.run(job)
  }
  return Object.create(child, { run: { value: run } }) as Child
}

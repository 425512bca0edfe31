/**
 * A decoder with normal priority: beside a test run that keeps every core busy, each job of a low-priority
 * one would take seconds.
 */
import { weighSession } from '../base/priority.ts'
import { type Child, type StartDecoder, startChild } from '../images/child.ts'

export const startEqualDecoder: StartDecoder = settings => {
  const child = startChild(settings)
  const run: Child['run'] = job => {
    weighSession(child.pid, 0)
    return child.run(job)
  }
  return Object.create(child, { run: { value: run } }) as Child
}

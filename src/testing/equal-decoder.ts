/**
 * A decoder that does not stand back as that of a service does: beside a test run that keeps every core busy
 * each of its jobs would take seconds.
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

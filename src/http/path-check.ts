/** Refuses a path under which no file may be stored, with the sentence that says why. */
import { germanPathFault } from '../contract/paths/path-rules.ts'
import { failure } from '../errors/errors.ts'

export function checkValidPath(path: string): void {
  const problem = germanPathFault(path)
  if (problem) throw failure.pathInvalid(problem)
}

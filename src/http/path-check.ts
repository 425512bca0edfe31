/** Refuses a path under which no file may be stored, with the sentence that says why; lower-cases others. */

import { lowerCaseAscii } from '../contract/paths/lower-case.ts'
import { germanPathFault } from '../contract/paths/path-rules.ts'
import { failure } from '../errors/errors.ts'

export function checkValidPath(path: string): void {
  const problem = germanPathFault(path)
  if (problem) throw failure.pathInvalid(problem)
}

/** Checks a path and returns it in lower case (see `lower-case.ts`); nothing else is corrected. */
export function lowerCasePath(path: string): string {
  checkValidPath(path)
  return lowerCaseAscii(path)
}

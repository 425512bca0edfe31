/** Parses the target as people type it: the address of a service, and a folder. */

import type { TextPair } from '../../base/language.ts'
import { lowerCaseAscii } from '../../contract/paths/lower-case.ts'
import { trimBothEnds } from '../../contract/values/text.ts'
import { pathProblemOf } from './plan.ts'
import { decodeUrlPart } from './sources/addresses.ts'

export interface Target {
  /** Scheme, host and port, such as `https://media.example.org`. */
  origin: string
  /** The target folder of the files; empty for the top level. */
  prefix: string
}

const LOCAL_HOST_PATTERN = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i

/**
 * Parses `https://host/folder` or `host/folder`. Without a scheme, https is used, or http if the host is this
 * machine. Returns the problem as a clause if the text has neither form, or names an invalid folder.
 */
export function parseTarget(text: string): Target | { problem: TextPair } {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const address = hasScheme ? text : `${LOCAL_HOST_PATTERN.test(text) ? 'http' : 'https'}://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return {
      problem: [
        'gemeint ist etwa https://media.example.org/bilder',
        'it should be something like https://media.example.org/pictures',
      ],
    }
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    return {
      problem: ['es darf nur aus Adresse und Ordner bestehen', 'it may consist of address and folder only'],
    }
  // `push` and `import` store files under paths in lower case, the target folder included.
  const prefix = lowerCaseAscii(trimBothEnds(decodeUrlPart(url.pathname), '/'))
  const problem = prefix === '' ? null : pathProblemOf(prefix)
  if (problem === null) return { origin: url.origin, prefix }
  return {
    problem: [
      `der Ordner „${prefix}“ ist ungültig: ${problem[0]}`,
      `the folder “${prefix}” is not valid: ${problem[1]}`,
    ],
  }
}

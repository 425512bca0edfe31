/** Errors that are sent to clients, and how the catalogue declares them. */

import type { Text } from '../base/language.ts'
import { codeOf } from '../contract/service/codes.ts'
import { ownValue } from '../contract/values/own-value.ts'
import { ENGLISH } from '../contract/words/english.ts'

interface SentError {
  sentence: string
  /** The sentence in English, if the error may be printed by a command. */
  english?: string
  headers?: Readonly<Record<string, string>>
  /** Further fields of the response. */
  fields?: Readonly<Record<string, unknown>>
  /** The cause, which is only logged and never sent. */
  cause?: unknown
  /** Whether the error has been logged already. */
  isLogged?: boolean
}

/** An error that is sent to the client. `code` is for programs and never changes. */
export class Failure extends Error {
  readonly sentence: string
  /** The English sentence for commands, if the one that belongs to the code does not say enough. */
  readonly english: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, unknown>>
  readonly isLogged: boolean

  constructor(
    readonly code: string,
    readonly status: number,
    { sentence, english, headers = {}, fields = {}, cause, isLogged = false }: SentError,
  ) {
    super(sentence, { cause })
    this.name = 'Failure'
    this.sentence = sentence
    this.english = english
    this.headers = headers
    this.fields = fields
    this.isLogged = isLogged
  }
}

/**
 * The sentence in German and English, for commands. The code selects the English sentence, if there is one.
 */
export const inBothLanguages = ({
  code,
  sentence,
  english,
}: {
  code: string
  sentence: string
  english?: string | undefined
}): Text => [sentence, english ?? ownValue(ENGLISH, code) ?? sentence]

export type Entries = Readonly<Record<string, (...given: never[]) => string | SentError>>

/**
 * Turns entries into functions that create the errors. An error's code is its name with dashes (`fileAbsent`
 * → `file-absent`), so names must never change; `errors.test.ts` lists all codes.
 */
export function makeErrors<E extends Entries, Made>(
  entries: E,
  make: (code: string, sent: SentError) => Made,
) {
  const made = Object.entries(entries).map(([name, write]) => {
    const code = codeOf(name)
    return [
      name,
      (...given: never[]) => {
        const sent = write(...given)
        return make(code, typeof sent === 'string' ? { sentence: sent } : sent)
      },
    ]
  })
  return Object.fromEntries(made) as { [Name in keyof E]: (...given: Parameters<E[Name]>) => Made }
}

export const failures = <E extends Entries>(status: number, entries: E) =>
  makeErrors(entries, (code, sent) => new Failure(code, status, sent))

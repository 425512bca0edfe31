/** Errors that are sent to clients, and how the catalogue declares them. */

import type { TextPair } from '../base/language.ts'
import { codeOf } from '../contract/service/codes.ts'
import { ownValue } from '../contract/values/own-value.ts'
import { ENGLISH } from '../contract/words/english.ts'

interface ErrorParts {
  sentence: string
  /** The sentence in English, for commands; needed only if the one in `ENGLISH` does not say enough. */
  english?: string
  headers?: Readonly<Record<string, string>>
  /** Further fields of the response body. */
  fields?: Readonly<Record<string, unknown>>
  /** The cause is only logged, never sent. */
  cause?: unknown
  /** Whether the error has been logged already. */
  isLogged?: boolean
}

/** An error that is sent to the client. `code` is for programs and never changes. */
export class Failure extends Error {
  readonly sentence: string
  /** The English sentence for commands, if the one in `ENGLISH` does not say enough. */
  readonly english: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, unknown>>
  readonly isLogged: boolean

  constructor(
    readonly code: string,
    readonly status: number,
    { sentence, english, headers = {}, fields = {}, cause, isLogged = false }: ErrorParts,
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
 * The sentence in German and English, for commands. The English one is `english`, otherwise that of the code
 * in `ENGLISH`, otherwise the German one.
 */
export const sentencePair = ({
  code,
  sentence,
  english,
}: {
  code: string
  sentence: string
  english?: string | undefined
}): TextPair => [sentence, english ?? ownValue(ENGLISH, code) ?? sentence]

export type ErrorEntries = Readonly<Record<string, (...given: never[]) => string | ErrorParts>>

/**
 * Turns each entry into a function that creates an error. An error's code is its name with dashes
 * (`fileAbsent` → `file-absent`), so names must never change; `errors.test.ts` lists all codes.
 */
export function createErrors<E extends ErrorEntries, CreatedError>(
  entries: E,
  make: (code: string, sent: ErrorParts) => CreatedError,
) {
  const functions = Object.entries(entries).map(([name, write]) => {
    const code = codeOf(name)
    return [
      name,
      (...values: never[]) => {
        const parts = write(...values)
        return make(code, typeof parts === 'string' ? { sentence: parts } : parts)
      },
    ]
  })
  return Object.fromEntries(functions) as {
    [Name in keyof E]: (...given: Parameters<E[Name]>) => CreatedError
  }
}

export const createFailures = <E extends ErrorEntries>(status: number, entries: E) =>
  createErrors(entries, (code, sent) => new Failure(code, status, sent))

/** Errors that are sent to clients, and how the catalogue declares them. */

import type { TextPair } from '../base/language.ts'
import { codeFromName } from '../contract/service/codes.ts'
import { ownValue } from '../contract/values/own-value.ts'
import { ENGLISH_SENTENCES } from '../contract/words/english.ts'

interface ErrorParts {
  sentence: string
  /** The sentence in English, for commands; needed only if the one in `ENGLISH_SENTENCES` is too general. */
  english?: string
  headers?: Readonly<Record<string, string>>
  /** Further fields of the response body. */
  fields?: Readonly<Record<string, unknown>>
  /** The cause is only logged, never sent. */
  cause?: unknown
  /** Whether the error is logged elsewhere, so that answering with it must not log it again. */
  isLogged?: boolean
}

/** An error that is sent to the client. `code` is for programs and never changes. */
export class Failure extends Error {
  readonly sentence: string
  /** The English sentence for commands; undefined if the one in `ENGLISH_SENTENCES` is used. */
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
 * The sentence in German and English, for commands. For an error without an `english` sentence of its own,
 * the English one is that of its code in `ENGLISH_SENTENCES`, or else the German one.
 */
export const sentencePair = ({
  code,
  sentence,
  english,
}: {
  code: string
  sentence: string
  english?: string | undefined
}): TextPair => [sentence, english ?? ownValue(ENGLISH_SENTENCES, code) ?? sentence]

/** The parts of an error that has an English sentence of its own. */
export const bilingualParts = (sentence: string, english: string, cause?: unknown) => ({
  sentence,
  english,
  cause,
})

export type ErrorEntries = Readonly<Record<string, (...args: never[]) => string | ErrorParts>>

/**
 * Turns each entry into a function that creates an error. An error's code is its name with dashes
 * (`fileAbsent` → `file-absent`), so names must never change; `errors.test.ts` lists all codes.
 */
export function createErrors<E extends ErrorEntries, CreatedError>(
  entries: E,
  createError: (code: string, parts: ErrorParts) => CreatedError,
) {
  const functionEntries = Object.entries(entries).map(([name, createParts]) => {
    const code = codeFromName(name)
    return [
      name,
      (...args: never[]) => {
        const parts = createParts(...args)
        return createError(code, typeof parts === 'string' ? { sentence: parts } : parts)
      },
    ]
  })
  return Object.fromEntries(functionEntries) as {
    [Name in keyof E]: (...args: Parameters<E[Name]>) => CreatedError
  }
}

export const createFailures = <E extends ErrorEntries>(status: number, entries: E) =>
  createErrors(entries, (code, parts) => new Failure(code, status, parts))

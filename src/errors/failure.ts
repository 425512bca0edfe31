/** What an error is that is sent to the client, and how the catalogue writes one. */

import type { Text } from '../base/language.ts'
import { codeOf } from '../contract/service/codes.ts'
import { ownValue } from '../contract/values/own-value.ts'
import { ENGLISH } from '../contract/words/english.ts'

interface Sent {
  /** The German sentence that the client receives. */
  sentence: string
  /** The same in English, where a command says it. */
  english?: string
  headers?: Readonly<Record<string, string>>
  /** Further fields of the response beside the sentence. */
  fields?: Readonly<Record<string, unknown>>
  /** Only logged, never sent. */
  cause?: unknown
  /** Whether the log tells of it already. */
  isLogged?: boolean
}

/** An error that is sent to the client. `code` is one English word for programs, which never changes. */
export class Failure extends Error {
  readonly sentence: string
  /** For commands, where the English sentence of the code does not say enough. */
  readonly english: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, unknown>>
  readonly isLogged: boolean

  constructor(
    readonly code: string,
    readonly status: number,
    { sentence, english, headers = {}, fields = {}, cause, isLogged = false }: Sent,
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

/** A sentence with its code, for commands: the code says which English sentence it is, where there is one. */
export const inBothLanguages = ({
  code,
  sentence,
  english,
}: {
  code: string
  sentence: string
  english?: string | undefined
}): Text => [sentence, english ?? ownValue(ENGLISH, code) ?? sentence]

/** Errors by name, each written as its sentence. */
export type Entries = Readonly<Record<string, (...given: never[]) => string | Sent>>

/**
 * The functions that make these errors. The code of an error is its name here with dashes (`fileAbsent` →
 * `file-absent`), so a name never changes; `errors.test.ts` lists all codes.
 */
export function written<E extends Entries, Made>(entries: E, make: (code: string, sent: Sent) => Made) {
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

/** Errors that are sent to the client with the same status. */
export const failures = <E extends Entries>(status: number, entries: E) =>
  written(entries, (code, sent) => new Failure(code, status, sent))

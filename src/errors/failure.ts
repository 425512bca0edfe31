/** What an error is that is sent to the client, and how the catalogue writes one. */
import { codeOf } from '../contract/codes.ts'

interface Sent {
  /** The German sentence that the client receives. */
  sentence: string
  headers?: Readonly<Record<string, string>>
  /** Further fields of the response beside the sentence. */
  fields?: Readonly<Record<string, unknown>>
  /** Only logged, never sent. */
  cause?: unknown
}

/** An error that is sent to the client. `code` is one English word for programs, which never changes. */
export class Failure extends Error {
  readonly sentence: string
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    readonly code: string,
    readonly status: number,
    { sentence, headers = {}, fields = {}, cause }: Sent,
  ) {
    super(sentence, { cause })
    this.name = 'Failure'
    this.sentence = sentence
    this.headers = headers
    this.fields = fields
  }
}

type Entries = Readonly<Record<string, (...given: never[]) => string | Sent>>

/**
 * Errors with the same status, each written as its sentence. The code of an error is its name here with dashes
 * (`fileAbsent` → `file-absent`), so a name never changes; `errors.test.ts` lists all codes.
 */
export function failures<E extends Entries>(status: number, entries: E) {
  const made = Object.entries(entries).map(([name, sent]) => {
    const code = codeOf(name)
    const make = (...given: never[]) => {
      const told = sent(...given)
      return new Failure(code, status, typeof told === 'string' ? { sentence: told } : told)
    }
    return [name, make]
  })
  return Object.fromEntries(made) as { [Name in keyof E]: (...given: Parameters<E[Name]>) => Failure }
}

/** An error that is sent to the client. Its cause is only logged, never sent. */
export class Failure extends Error {
  /** Further fields of the response beside the sentence. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    readonly code: string,
    readonly status: number,
    /** The German sentence that the client receives. */
    readonly sentence: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options: ErrorOptions & { fields?: Record<string, unknown> } = {},
  ) {
    super(sentence, options)
    this.name = 'Failure'
    this.fields = options.fields ?? {}
  }
}

/** One refusal: what the client is told. Log line and cause stay inside. */
export class Failure extends Error {
  /** What the client is told beside the sentence. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    readonly code: string,
    readonly status: number,
    /** What the client reads. */
    readonly sentence: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options: ErrorOptions & { fields?: Record<string, unknown> } = {},
  ) {
    super(sentence, options)
    this.name = 'Failure'
    this.fields = options.fields ?? {}
  }
}

/**
 * Why there is no result.
 * - `refused`: the decoder said no, the picture is broken or too large. Asking again gives the same answer.
 * - `crashed`, `timeout`, `memory`: the decoder was lost on the way. The next job gets a new one.
 * - `closed`: the service is stopping.
 */
export type ImagesFailure = 'refused' | 'crashed' | 'timeout' | 'memory' | 'closed'

/** The message is for the log; it may quote the decoder and never reaches a client. */
export class ImagesError extends Error {
  readonly reason: ImagesFailure

  constructor(reason: ImagesFailure, message: string) {
    super(message)
    this.name = 'ImagesError'
    this.reason = reason
  }
}

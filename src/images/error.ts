/**
 * The error of a decoding job, and why it gave no result.
 * - `refused`: the decoder refused the picture, which is broken or too large. A second try gives the same
 *   answer.
 * - `crashed`, `timeout`, `memory`: the decoder process was lost during the job. The next job gets a new
 *   decoder.
 * - `closed`: the service is stopping.
 */
export type ImagesFailure = 'refused' | 'crashed' | 'timeout' | 'memory' | 'closed'

/** The message is for the log only; it may quote the decoder and is never sent to a client. */
export class ImagesError extends Error {
  readonly reason: ImagesFailure

  constructor(reason: ImagesFailure, message: string) {
    super(message)
    this.name = 'ImagesError'
    this.reason = reason
  }
}

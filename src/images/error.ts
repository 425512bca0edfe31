/**
 * Why a decoding job gave no result.
 * - `refused`: the file is damaged, too large or of an unsupported format. A retry gives the same answer.
 * - `crashed`, `timeout`, `memory`: the decoder process was lost. The next job gets a new one.
 * - `closed`: the service is stopping.
 */
export type DecodingFailure = 'refused' | 'crashed' | 'timeout' | 'memory' | 'closed'

/** The message is for the log only; it may quote the decoder. */
export class ImagesError extends Error {
  readonly reason: DecodingFailure

  constructor(reason: DecodingFailure, message: string) {
    super(message)
    this.name = 'ImagesError'
    this.reason = reason
  }
}

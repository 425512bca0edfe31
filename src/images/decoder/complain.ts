/** Turns an error of a job into the reply for the parent process. */
const REASON_CHARACTERS = 500

/** The error as a reply of ../protocol.ts. */
export function complaint(error: unknown) {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, REASON_CHARACTERS)
  return isSystemError(error) ? { system: { code: error.code, message } } : { refused: message }
}

/** True for an error of the file system, false for an error of the decoder. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string'
}

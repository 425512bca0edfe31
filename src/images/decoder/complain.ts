const REASON_CHARACTERS = 500

/** What went wrong, in the words of ../protocol.ts. */
export function complaint(error: unknown) {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, REASON_CHARACTERS)
  return isSystemError(error) ? { system: { code: error.code, message } } : { refused: message }
}

/** True for what the file system said, and not the decoder. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string'
}

/** The system code of an error, such as `ENOENT`; an empty string if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Whether the error comes from a failed system call, such as `open`. */
export const isSystemError = (error: unknown): error is Error & { code: string } =>
  errorCode(error) !== '' && 'syscall' in (error as Error)

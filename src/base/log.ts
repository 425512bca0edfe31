/**
 * Structured log: a JSON object per line, or human-readable lines. Tokens, passwords and cookies are never
 * logged.
 */

const LEVELS_BY_SEVERITY = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LEVELS_BY_SEVERITY)[number]
export const LOG_LEVELS: readonly LogLevel[] = LEVELS_BY_SEVERITY

export type LogFields = Readonly<Record<string, unknown>>
export type Log = Record<LogLevel, (message: string, fields?: LogFields) => void>

const errorText = (error: Error) => error.stack ?? error.message

/**
 * PIPE_BUF: the maximum number of bytes that are written to a pipe atomically, not mixed with the writes of
 * other workers.
 */
const PIPE_BUF = 4096

/**
 * Returns a writer that passes the lines of one event loop iteration to `write` together, up to `PIPE_BUF`
 * bytes at a time; a longer line is passed alone. Writing each line on its own would cost a small upload more
 * time than hashing its bytes. `flush` immediately writes the lines gathered so far.
 */
export function createLineBuffer(write: (text: string) => void): {
  write(line: string): void
  flush(): void
} {
  let pendingText = ''
  let pendingBytes = 0
  function flush(): void {
    const text = pendingText
    pendingText = ''
    pendingBytes = 0
    if (text !== '') write(text)
  }
  return {
    write(line) {
      const lineBytes = Buffer.byteLength(line)
      if (pendingBytes + lineBytes > PIPE_BUF) flush()
      if (pendingText === '') setImmediate(flush)
      pendingText += line
      pendingBytes += lineBytes
    },
    flush,
  }
}

export function createLog(options: {
  level: LogLevel
  write: (line: string) => void
  /** Whether to write human-readable lines instead of JSON. */
  isHumanReadable: boolean
  /** Fields that are added to every line. */
  commonFields?: LogFields
  /** The id of the current request; undefined outside of a request. */
  currentRequestId?: () => string | undefined
}): Log {
  const threshold = LEVELS_BY_SEVERITY.indexOf(options.level)
  const logAt = (level: LogLevel) => {
    if (LEVELS_BY_SEVERITY.indexOf(level) < threshold) return () => {}
    return (message: string, messageFields: LogFields = {}) => {
      const requestId = options.currentRequestId?.()
      const fields: Record<string, unknown> = {
        ...options.commonFields,
        ...(requestId !== undefined && { request: requestId }),
        ...messageFields,
      }
      for (const key in fields) if (fields[key] instanceof Error) fields[key] = errorText(fields[key])
      const time = new Date().toISOString()
      const fieldTexts = () => Object.entries(fields).map(([key, value]) => `${key}=${value}`)
      options.write(
        options.isHumanReadable
          ? `${time.slice(11, 19)} ${level.padEnd(5)} ${message} ${fieldTexts().join(' ')}\n`
          : `${JSON.stringify({ time, level, message, ...fields })}\n`,
      )
    }
  }
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
}

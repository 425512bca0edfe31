/** Structured logging: JSON, or readable lines at a terminal. Never logs tokens, passwords and cookies. */

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LEVELS)[number]
export const LOG_LEVELS: readonly LogLevel[] = LEVELS

export type Fields = Readonly<Record<string, unknown>>
export type Log = Record<LogLevel, (message: string, fields?: Fields) => void>

const errorText = (error: Error) => error.stack ?? error.message

/**
 * PIPE_BUF: the maximum number of bytes that the system writes to a pipe in one piece, even if other workers
 * write at the same time.
 */
const PIPE_BUF = 4096

/**
 * Writes all lines of one event loop iteration together: a write per line would cost an upload more than
 * hashing its bytes. `flush` writes the gathered lines at once.
 */
export function gatherLines(write: (text: string) => void): { write(line: string): void; flush(): void } {
  let gathered = ''
  let bytes = 0
  function flush(): void {
    const text = gathered
    gathered = ''
    bytes = 0
    if (text !== '') write(text)
  }
  return {
    write(line) {
      const more = Buffer.byteLength(line)
      if (bytes + more > PIPE_BUF) flush()
      if (gathered === '') setImmediate(flush)
      gathered += line
      bytes += more
    },
    flush,
  }
}

export function createLog(options: {
  level: LogLevel
  write: (line: string) => void
  readable: boolean
  /** Fields that are added to every line. */
  always?: Fields
  /** The id of the current request; undefined outside of a request. */
  request?: () => string | undefined
}): Log {
  const threshold = LEVELS.indexOf(options.level)
  const at = (level: LogLevel) => {
    if (LEVELS.indexOf(level) < threshold) return () => {}
    return (message: string, given: Fields = {}) => {
      const request = options.request?.()
      const fields: Record<string, unknown> = {
        ...options.always,
        ...(request !== undefined && { request }),
        ...given,
      }
      for (const key in fields) if (fields[key] instanceof Error) fields[key] = errorText(fields[key])
      const time = new Date().toISOString()
      const fieldsText = () => Object.entries(fields).map(([key, value]) => `${key}=${value}`)
      options.write(
        options.readable
          ? `${time.slice(11, 19)} ${level.padEnd(5)} ${message} ${fieldsText().join(' ')}\n`
          : `${JSON.stringify({ time, level, message, ...fields })}\n`,
      )
    }
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Opens the port; what keeps it shut is told in a sentence. */
import { type Config, ConfigError } from '../config.ts'
import { errorCode } from '../storage/platform.ts'

/** A connection on which nothing moves for this long is given up, in seconds. */
const IDLE_SECONDS = 60

const HIGHEST_PORT = 65_535

export interface Listener {
  fetch(request: Request, server: Bun.Server<unknown>): Response | Promise<Response>
  /** For errors that strike after a handler has answered. */
  error(error: unknown): Response
}

export function listen({ port, host }: Config, { fetch, error }: Listener): Bun.Server<unknown> {
  try {
    return Bun.serve({
      port,
      hostname: host,
      idleTimeout: IDLE_SECONDS,
      // Each route sets its own limit, and counts what really arrives.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch,
      error,
    })
  } catch (cause) {
    const reason = reasonOf(cause, port, host)
    throw reason ? new ConfigError(reason) : cause
  }
}

function reasonOf(error: unknown, port: number, host: string): string | null {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Der Port ${port} ist belegt, dort lauscht schon ein anderes Programm; einen anderen wählt zum Beispiel PORT=${port < HIGHEST_PORT ? port + 1 : 8080}.`
    case 'EACCES':
      return `Auf dem Port ${port} darf dieses Benutzerkonto nicht lauschen; ab 1024 ist es meist erlaubt, zum Beispiel mit PORT=8080.`
    // ENOENT and EINVAL are what the runtime makes of names that do not resolve.
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'ENOENT':
    case 'EINVAL':
      return `Die Adresse ${host} gibt es auf diesem Rechner nicht; auf allen lauscht HOST=0.0.0.0, nur für den Rechner selbst HOST=127.0.0.1.`
    default:
      return null
  }
}

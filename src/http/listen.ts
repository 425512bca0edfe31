/** Opens the port. If the port cannot be opened, the error says why in a sentence. */
import { type Config, ConfigError } from '../config.ts'
import { errorCode } from '../storage/platform.ts'

/** Seconds without any traffic after which a connection is closed. */
const IDLE_SECONDS = 60

const HIGHEST_PORT = 65_535

export interface Listener {
  fetch(request: Request, server: Bun.Server<unknown>): Response | Promise<Response>
  /** Makes the answer for an error that occurs after a handler has answered. */
  error(error: unknown): Response
}

/** `reusePort`: other processes that say so too may listen there as well, and the system spreads the connections. */
export function listen(
  { port, host }: Config,
  { fetch, error }: Listener,
  { reusePort }: { reusePort: boolean } = { reusePort: false },
): Bun.Server<unknown> {
  try {
    return Bun.serve({
      port,
      hostname: host,
      reusePort,
      idleTimeout: IDLE_SECONDS,
      // There is no limit here: each route sets its own limit and counts the bytes that really arrive.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch,
      error,
    })
  } catch (cause) {
    const reason = reasonOf(cause, port, host)
    throw reason ? new ConfigError(...reason) : cause
  }
}

/** The sentence in German and in English. */
export function portTaken(port: number): [string, string] {
  const other = port < HIGHEST_PORT ? port + 1 : 8080
  return [
    `Der Port ${port} ist belegt, dort lauscht schon ein anderes Programm; einen anderen wählt zum Beispiel PORT=${other}.`,
    `Port ${port} is taken: another program listens there already. Choose another one, for example with PORT=${other}.`,
  ]
}

function reasonOf(error: unknown, port: number, host: string): [string, string] | null {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return portTaken(port)
    case 'EACCES':
      return [
        `Auf dem Port ${port} darf dieses Benutzerkonto nicht lauschen; ab 1024 ist es meist erlaubt, zum Beispiel mit PORT=8080.`,
        `This user may not listen on port ${port}; ports from 1024 on are usually allowed, for example with PORT=8080.`,
      ]
    // The runtime reports ENOENT and EINVAL for names that do not resolve.
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'ENOENT':
    case 'EINVAL':
      return [
        `Die Adresse ${host} gibt es auf diesem Rechner nicht; auf allen lauscht HOST=0.0.0.0, nur für den Rechner selbst HOST=127.0.0.1.`,
        `This machine has no address ${host}; HOST=0.0.0.0 listens on all of its addresses, HOST=127.0.0.1 only for the machine itself.`,
      ]
    default:
      return null
  }
}

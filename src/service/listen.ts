/** Opens the port. If that fails for a known reason, the error is a `ConfigError` that explains it. */

import { errorCode } from '../base/system/error-code.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { createFindConnectionNetwork } from '../http/access/client-address.ts'
import { FAILURE_BY_REFUSAL } from '../http/refusals.ts'
import { startBunServer } from '../http/server/bun-server.ts'
import type { HttpServer, Refusal, ServerParts } from '../http/server/http-server.ts'
import { loadSendfile, type SendfileOptions } from '../http/server/sending/sendfile.ts'
import { startServer } from '../http/server/server.ts'

const HIGHEST_PORT = 65_535

export type ServerHandlers = Pick<ServerParts, 'fetch' | 'error'> &
  Partial<Pick<ServerParts, 'onOverload'> & Pick<SendfileOptions, 'onUnavailable'>>

/**
 * `reusePort`: other processes may listen on the same port, and the system distributes the connections among
 * them.
 */
export function listen(
  { port, host, trustedProxies, mayUseSendfile, httpServer }: Config,
  { onOverload = () => {}, onUnavailable = () => {}, ...handlers }: ServerHandlers,
  { reusePort }: { reusePort: boolean } = { reusePort: false },
): HttpServer {
  try {
    const networkOf = createFindConnectionNetwork(trustedProxies)
    const refuse = (refusal: Refusal) => handlers.error(FAILURE_BY_REFUSAL[refusal]())
    const serverParts = { ...handlers, refuse, onOverload, port, hostname: host, reusePort, networkOf }
    if (httpServer === 'bun') return startBunServer(serverParts)
    return startServer({
      ...serverParts,
      sendfileCalls: loadSendfile({ isAllowed: mayUseSendfile, onUnavailable }),
    })
  } catch (cause) {
    // For a host name that does not resolve, the runtime (Bun 1.4.4) throws an error without a code, so every
    // error without a code counts as `ENOTFOUND`.
    const reason = listenErrorText(errorCode(cause) || 'ENOTFOUND', port, host)
    throw reason ? new ConfigError(...reason) : cause
  }
}

export function portTakenText(port: number): [string, string] {
  const otherPort = port < HIGHEST_PORT ? port + 1 : 8080
  return [
    `Der Port ${port} ist belegt, dort lauscht schon ein anderes Programm; einen anderen wählt zum Beispiel PORT=${otherPort}.`,
    `Port ${port} is taken: another program listens there already. Choose another one, for example with PORT=${otherPort}.`,
  ]
}

function listenErrorText(code: string, port: number, host: string): [string, string] | null {
  switch (code) {
    case 'EADDRINUSE':
      return portTakenText(port)
    case 'EACCES':
      return [
        `Auf dem Port ${port} darf dieses Benutzerkonto nicht lauschen; ab 1024 ist es meist erlaubt, zum Beispiel mit PORT=8080.`,
        `This user may not listen on port ${port}; ports from 1024 on are usually allowed, for example with PORT=8080.`,
      ]
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
      return [
        `Die Adresse ${host} gibt es auf diesem Rechner nicht; auf allen lauscht HOST=0.0.0.0, nur für den Rechner selbst HOST=127.0.0.1.`,
        `This machine has no address ${host}; HOST=0.0.0.0 listens on all of its addresses, HOST=127.0.0.1 only for the machine itself.`,
      ]
    default:
      return null
  }
}

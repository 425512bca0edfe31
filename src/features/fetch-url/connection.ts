/** Connects to one of the addresses to which a name was resolved, and to no other. */
import { isIPv4, isIPv6, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Failure, failure } from '../../errors/errors.ts'
import { type ResolveHost, resolvePublicAddresses, type Target, truncateHost } from './check-target.ts'
import type { Network } from './network.ts'
import { abortFailure, raceDeadline } from './time.ts'

/**
 * Maximum number of addresses to try. Each but the last gets 1 / MAX_ADDRESSES_TRIED of the time for
 * connecting; the last one gets the remaining time.
 */
const MAX_ADDRESSES_TRIED = 4

/** Resolves the addresses of a target. Rejects if one of them must not be connected to. */
export type ResolveTarget = (target: Target, resolve: ResolveHost) => Promise<readonly string[]>

/**
 * Resolves the name, connects and, for https, checks the certificate, all within `limits.connect` and before
 * `totalDeadline` aborts. The name is resolved only here, so DNS rebinding has no effect: a later answer of
 * the resolver is never used.
 */
export async function connectTo(
  target: Target,
  network: Network,
  totalDeadline: AbortSignal,
  addressesOf: ResolveTarget = resolvePublicAddresses,
): Promise<Socket> {
  const deadline = AbortSignal.any([totalDeadline, AbortSignal.timeout(network.limits.connect)])
  const addresses = await raceDeadline(addressesOf(target, network.resolve), deadline)
  const socket = await dialFirstReachable(
    interleave(addresses).slice(0, MAX_ADDRESSES_TRIED),
    target,
    network,
    deadline,
  )
  return target.isSecure ? await startTls(socket, target, network, deadline) : socket
}

/**
 * Tries the addresses one after the other. The time is divided among them, so that an address that does not
 * answer leaves time for one that does.
 */
async function dialFirstReachable(
  addresses: readonly string[],
  { host, port }: Target,
  { dial, limits }: Network,
  deadline: AbortSignal,
): Promise<Socket> {
  let lastError: unknown
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1
    const attemptDeadline = isLast
      ? deadline
      : AbortSignal.any([deadline, AbortSignal.timeout(limits.connect / MAX_ADDRESSES_TRIED)])
    try {
      return await waitForOpen(dial(address, port), 'connect', attemptDeadline)
    } catch (error) {
      if (deadline.aborted) throw abortFailure(deadline)
      lastError = error
    }
  }
  throw failure.sourceUnreachable(truncateHost(host), lastError)
}

async function startTls(
  socket: Socket,
  target: Target,
  network: Network,
  deadline: AbortSignal,
): Promise<Socket> {
  const { host } = target
  // Without `servername` the certificate is checked against `host`, as required for an IP address.
  const servername = isIPv4(host) || isIPv6(host) ? '' : host
  const { ca } = network
  const tls = connectTls({
    socket,
    host,
    servername,
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch the check off.
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  })
  try {
    return await waitForOpen(tls, 'secureConnect', deadline)
  } catch (error) {
    socket.destroy()
    throw error instanceof Failure ? error : failure.sourceUntrusted(truncateHost(host), error)
  }
}

/**
 * Resolves once the socket emits `event`. If the socket fails or closes before that, or at the deadline,
 * destroys the socket and rejects.
 */
async function waitForOpen<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  deadline: AbortSignal,
): Promise<S> {
  // This listener is never removed: a connection may break at any time, even while nobody waits for it.
  const socketError = new Promise<never>((_, reject) => socket.on('error', reject))
  const socketClose = new Promise<never>((_, reject) =>
    socket.once('close', () => reject(new Error('the connection was closed'))),
  )
  const socketOpen = new Promise<void>(resolve => socket.once(event, () => resolve()))
  try {
    await raceDeadline(Promise.race([socketOpen, socketError, socketClose]), deadline)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/**
 * Alternates IPv4 and IPv6, so that a connection can succeed even in a network in which one of them is
 * broken.
 */
function interleave(addresses: readonly string[]): string[] {
  const firstFamily = addresses.filter(address => isIPv6(address) === isIPv6(addresses[0] ?? ''))
  const secondFamily = addresses.filter(address => !firstFamily.includes(address))
  return firstFamily
    .flatMap((address, index) => [address, ...secondFamily.slice(index, index + 1)])
    .concat(secondFamily.slice(firstFamily.length))
}

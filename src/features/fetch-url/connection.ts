/** Connects to one of the checked addresses, and to nothing else. */
import { isIPv4, isIPv6, type Socket } from 'node:net'
import { connect as agreeOnTls } from 'node:tls'
import { Failure, failure } from '../../errors/errors.ts'
import type { Network } from './network.ts'
import { publicAddresses, type Resolve, shownHost, type Target } from './target.ts'
import { outOfTime, withinTime } from './time.ts'

/** Number of addresses to try. Each but the last gets 1 / ATTEMPTS of the time. */
const ATTEMPTS = 4

/** The addresses of a target that may be connected to. Rejects if one of them may not. */
export type AddressesOf = (target: Target, resolve: Resolve) => Promise<readonly string[]>

/**
 * Resolves the name, connects and, for https, checks the certificate, all within `limits.connect`. The name
 * is resolved only here, so a resolver that changes its answer afterwards has no effect.
 */
export async function connectTo(
  target: Target,
  network: Network,
  total: AbortSignal,
  addressesOf: AddressesOf = publicAddresses,
): Promise<Socket> {
  const time = AbortSignal.any([total, AbortSignal.timeout(network.limits.connect)])
  const addresses = await withinTime(addressesOf(target, network.resolve), time)
  const socket = await dialFirst(interleave(addresses).slice(0, ATTEMPTS), target, network, time)
  return target.secure ? await startTls(socket, target, network, time) : socket
}

/**
 * Tries the addresses one after the other. An address that does not answer must not use up the time of one
 * that would.
 */
async function dialFirst(
  addresses: readonly string[],
  { host, port }: Target,
  { dial, limits }: Network,
  time: AbortSignal,
): Promise<Socket> {
  let trouble: unknown
  for (const [at, address] of addresses.entries()) {
    const last = at === addresses.length - 1
    const patience = last ? time : AbortSignal.any([time, AbortSignal.timeout(limits.connect / ATTEMPTS)])
    try {
      return await onceOpen(dial(address, port), 'connect', patience)
    } catch (error) {
      if (time.aborted) throw outOfTime(time)
      trouble = error
    }
  }
  throw failure.sourceUnreachable(shownHost(host), trouble)
}

async function startTls(
  socket: Socket,
  target: Target,
  network: Network,
  time: AbortSignal,
): Promise<Socket> {
  const { host } = target
  // Without `servername` the certificate is checked against `host`, as required for an IP address.
  const servername = isIPv4(host) || isIPv6(host) ? '' : host
  const { ca } = network
  const tls = agreeOnTls({
    socket,
    host,
    servername,
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch the check off.
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  })
  try {
    return await onceOpen(tls, 'secureConnect', time)
  } catch (error) {
    socket.destroy()
    throw error instanceof Failure ? error : failure.sourceUntrusted(shownHost(host), error)
  }
}

/** Resolves once the socket emits `event`; destroys the socket if that does not happen. */
async function onceOpen<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  time: AbortSignal,
): Promise<S> {
  // This listener is never removed: a connection may break at any time, even while nobody waits for it.
  const failed = new Promise<never>((_, reject) => socket.on('error', reject))
  const closed = new Promise<never>((_, reject) =>
    socket.once('close', () => reject(new Error('the connection was closed'))),
  )
  const ready = new Promise<void>(resolve => socket.once(event, () => resolve()))
  try {
    await withinTime(Promise.race([ready, failed, closed]), time)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/**
 * Alternates IPv4 and IPv6, so that a connection succeeds even in a network in which one of them is broken.
 */
function interleave(addresses: readonly string[]): string[] {
  const first = addresses.filter(address => isIPv6(address) === isIPv6(addresses[0] ?? ''))
  const second = addresses.filter(address => !first.includes(address))
  return first
    .flatMap((address, at) => [address, ...second.slice(at, at + 1)])
    .concat(second.slice(first.length))
}

/** Sends a file over a socket with `sendfile`, without copying it through this process (Linux). */
import { dlopen, ptr } from 'bun:ffi'
import { closeSync, openSync, readSync } from 'node:fs'

const HAS_SENDFILE = process.platform === 'linux'

export interface SendfileCalls {
  /**
   * Sends bytes and tells the kernel that a file follows (MSG_MORE), so that both can share a packet. Returns
   * how many bytes the socket accepted; a negative number means none.
   */
  sendBegin(socket: number, bytes: Uint8Array): number
  /**
   * Sends bytes of a file. Returns how many bytes the socket accepted; a negative number or 0 means none, for
   * any reason.
   */
  sendFile(socket: number, fileDescriptor: number, start: number, length: number): number
}

interface LoadedCalls extends SendfileCalls {
  /** Creates two connected non-blocking sockets. Throws if that fails. */
  socketPair(): [number, number]
}

export interface SendfileOptions {
  /** Whether the operator allows `sendfile`. */
  isAllowed: boolean
  /** Called if `sendfile` is not used although the system has it. `reason` is for the operator. */
  onUnavailable(reason: string): void
  /** Loads the C library; only tests set it. */
  loadCalls?: () => LoadedCalls
}

/** File names of the C library: glibc and musl. */
const C_LIBRARIES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]
const MSG_MORE = 0x8000
const MSG_NOSIGNAL = 0x4000
const MSG_DONTWAIT = 0x40
const AF_UNIX = 1
const SOCK_STREAM = 1
const SOCK_NONBLOCK = 0x800

function loadLibrary(library: string): LoadedCalls {
  const { symbols } = dlopen(library, {
    send: { args: ['i32', 'ptr', 'usize', 'i32'], returns: 'i64' },
    sendfile: { args: ['i32', 'i32', 'ptr', 'usize'], returns: 'i64' },
    socketpair: { args: ['i32', 'i32', 'i32', 'ptr'], returns: 'i32' },
  })
  const offset = new BigInt64Array(1)
  const offsetPointer = ptr(offset)
  return {
    sendBegin: (socket: number, bytes: Uint8Array) =>
      Number(symbols.send(socket, ptr(bytes), bytes.length, MSG_MORE | MSG_NOSIGNAL | MSG_DONTWAIT)),
    sendFile(socket: number, fileDescriptor: number, start: number, length: number) {
      offset[0] = BigInt(start)
      return Number(symbols.sendfile(socket, fileDescriptor, offsetPointer, length))
    },
    socketPair() {
      const sockets = new Int32Array(2)
      if (symbols.socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ptr(sockets)) !== 0)
        throw new Error('no pair of sockets to try sendfile with')
      return [sockets[0]!, sockets[1]!]
    },
  }
}

function loadAvailableLibrary(): LoadedCalls {
  const causes: unknown[] = []
  for (const library of C_LIBRARIES)
    try {
      return loadLibrary(library)
    } catch (cause) {
      causes.push(cause)
    }
  throw new AggregateError(causes, `none of ${C_LIBRARIES.join(', ')} can be loaded`)
}

/**
 * Loads the calls for `sendfile` from the C library. Null if files must be read and written instead: on
 * systems other than Linux, if the operator forbids `sendfile`, or after a failed trial.
 */
export function loadSendfile({
  isAllowed,
  onUnavailable,
  loadCalls: load = loadAvailableLibrary,
}: SendfileOptions): SendfileCalls | null {
  if (!HAS_SENDFILE) return null
  try {
    if (!isAllowed) throw new Error('SENDFILE=0')
    const calls = load()
    verifyCalls(calls)
    return calls
  } catch (error) {
    onUnavailable((error as Error).message)
    return null
  }
}

/**
 * Start and length of the ranges of a file that `verifyCalls` sends. They are not in ascending order, so that
 * a `sendfile` that ignores the offset is noticed.
 */
const TRIAL_RANGES = [
  [1000, 900],
  [10, 700],
] as const

/**
 * Sends a head and a range of a file over a socket pair, once for each of `TRIAL_RANGES`. Throws unless the
 * bytes arrive unchanged and in order.
 */
function verifyCalls(calls: LoadedCalls): void {
  const [socket, otherSocket] = calls.socketPair()
  // Any file that certainly exists will do.
  const fileDescriptor = openSync(process.execPath, 'r')
  try {
    const sentBytes = Buffer.concat(
      TRIAL_RANGES.flatMap(([start, length]) => {
        const head = Buffer.from(`head of ${start}`)
        const body = Buffer.alloc(length)
        readSync(fileDescriptor, body, 0, length, start)
        calls.sendBegin(socket, head)
        calls.sendFile(socket, fileDescriptor, start, length)
        return [head, body]
      }),
    )
    const receivedBytes = Buffer.alloc(sentBytes.length)
    // `readSync` throws EAGAIN instead of blocking if fewer bytes have arrived.
    for (let offset = 0; offset < receivedBytes.length; )
      offset += readSync(otherSocket, receivedBytes, offset, receivedBytes.length - offset, null)
    if (!receivedBytes.equals(sentBytes))
      throw new Error('the trial of sendfile got other bytes than were sent')
  } finally {
    for (const descriptor of [fileDescriptor, socket, otherSocket]) closeSync(descriptor)
  }
}

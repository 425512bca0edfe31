/** Sends the bytes of a file over a connection without taking them into this process, where the system can (Linux). */
import { dlopen, ptr } from 'bun:ffi'

/** Whether files are best sent from disk, by the kernel. */
export const SENDS_FILES = process.platform === 'linux'

export interface Kernel {
  /** Sends bytes that others follow, so that both go out together. Answers how many were taken; negative: none. */
  sendBegin(socket: number, bytes: Uint8Array): number
  /** Sends bytes of a file. Answers how many were taken; negative or 0: none, for whatever reason. */
  sendFile(socket: number, file: number, start: number, length: number): number
}

/** With glibc and with musl. */
const LIBRARIES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]
/** More is coming; no signal when the other side has gone. */
const MSG_MORE = 0x8000
const MSG_NOSIGNAL = 0x4000
const MSG_DONTWAIT = 0x40

function load(library: string) {
  const { symbols } = dlopen(library, {
    send: { args: ['i32', 'ptr', 'usize', 'i32'], returns: 'i64' },
    sendfile: { args: ['i32', 'i32', 'ptr', 'usize'], returns: 'i64' },
  })
  const offset = new BigInt64Array(1)
  const offsetAt = ptr(offset)
  return {
    sendBegin: (socket: number, bytes: Uint8Array) =>
      Number(symbols.send(socket, ptr(bytes), bytes.length, MSG_MORE | MSG_NOSIGNAL | MSG_DONTWAIT)),
    sendFile(socket: number, file: number, start: number, length: number) {
      offset[0] = BigInt(start)
      return Number(symbols.sendfile(socket, file, offsetAt, length))
    },
  }
}

/** Null where the system has no such functions: then the bytes are read and written. */
export function openKernel(): Kernel | null {
  if (!SENDS_FILES) return null
  for (const library of LIBRARIES)
    try {
      return load(library)
    } catch {
      // The next one, or none.
    }
  return null
}

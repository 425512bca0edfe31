/**
 * Runs under Wine: holds a file open like viewers and scanners that let others read it, but neither rename
 * nor delete it. The runtime always opens files without such a restriction, hence the system call.
 */
import { dlopen, FFIType } from 'bun:ffi'

const READ = 0x80000000
const OTHERS_MAY_READ = 1
const EXISTING = 3
const INVALID = 0xffffffffffffffffn

const { CreateFileW } = dlopen('kernel32.dll', {
  CreateFileW: {
    args: [FFIType.ptr, FFIType.u32, FFIType.u32, FFIType.ptr, FFIType.u32, FFIType.u32, FFIType.ptr],
    returns: FFIType.u64,
  },
}).symbols

const path = Buffer.from(`\\\\?\\${process.argv[2]}\0`, 'utf16le')
const handle = CreateFileW(path, READ, OTHERS_MAY_READ, null, EXISTING, 0, null)
console.log(BigInt(handle) === INVALID ? 'not opened' : 'held')
// Until its standard input is closed.
await Bun.stdin.text()
process.exit()

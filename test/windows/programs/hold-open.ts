/**
 * Runs under Wine: holds a file open as viewers and scanners do that let others read, but neither rename nor delete. The
 * runtime itself always opens files so that others may do everything; hence the call of the system.
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
// Until its standard input ends.
await Bun.stdin.text()
process.exit()

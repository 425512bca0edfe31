/**
 * Runs under Wine: starts the service and stops it as WinSW and NSSM do, which give the service a console of
 * its own and, to stop it, send Ctrl+C to everything on that console.
 */
import { dlopen, FFIType } from 'bun:ffi'

const CTRL_C = 0
const system = dlopen('kernel32.dll', {
  FreeConsole: { args: [], returns: FFIType.i32 },
  AllocConsole: { args: [], returns: FFIType.i32 },
  SetConsoleCtrlHandler: { args: [FFIType.ptr, FFIType.i32], returns: FFIType.i32 },
  GenerateConsoleCtrlEvent: { args: [FFIType.u32, FFIType.u32], returns: FFIType.i32 },
}).symbols

system.FreeConsole()
system.AllocConsole()
const service = Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
// The test asks for the stop by closing standard input.
await Bun.stdin.text()
// The manager is on the same console and must not end itself.
system.SetConsoleCtrlHandler(null, 1)
if (system.GenerateConsoleCtrlEvent(CTRL_C, 0) === 0) console.log('Ctrl+C was not sent')
process.exit(await service.exited)

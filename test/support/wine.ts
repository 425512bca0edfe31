/** The runtime's build for Windows under Wine, with a drive C: of its own; Z: is the root of this machine. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder } from './folder.ts'
import { findTool } from './tools.ts'

export const WINE = '/usr/lib/wine/wine64'
const DRIVE_ATTEMPTS = 4
const SERVER = '/usr/lib/wine/wineserver64'

export const findWine = () => findTool('wine64', () => Bun.which(WINE))

export interface Wine extends AsyncDisposable {
  /** The environment in which Wine finds its drives. */
  readonly env: Record<string, string>
  /** The command that runs `bun.exe <args>` of an archive unpacked into this folder. */
  command(program: string, ...args: string[]): string[]
}

export async function openWine(): Promise<Wine> {
  const folder = await openFolder()
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder.path,
    WINEPREFIX: join(folder.path, 'wine'),
    WINEDEBUG: '-all',
    // A program that crashes ends, instead of waiting for a debugger.
    WINEDLLOVERRIDES: 'winedbg.exe=d',
    // On Windows the runtime would report its crashes over the network.
    DO_NOT_TRACK: '1',
  }
  await makeDrives(env)
  return {
    env,
    command: (program, ...args) => [
      WINE,
      join(program, 'runtime/bun.exe'),
      join(program, 'src/cli.ts'),
      ...args,
    ],
    async [Symbol.asyncDispose]() {
      // Ends every process of these drives and no others.
      Bun.spawnSync([SERVER, '-k'], { env })
      await Bun.spawn([SERVER, '-w'], { env }).exited
      await folder[Symbol.asyncDispose]()
    },
  }
}

/**
 * Creates the drives. On a busy machine Wine silently skips a part of that, and programs then fail in odd
 * ways; so the last entry of the registry is checked, and the drives are created again if it is missing.
 */
async function makeDrives(env: Record<string, string>): Promise<void> {
  const registry = join(env.WINEPREFIX!, 'system.reg')
  for (let attempt = 1; ; attempt++) {
    const { exitCode, stderr } = Bun.spawnSync([WINE, 'wineboot', '-i'], { env })
    // The registry is written when the last program of the drives has ended.
    await Bun.spawn([SERVER, '-w'], { env }).exited
    if (exitCode === 0 && (await Bun.file(registry).text()).includes('"CurrentBuildNumber"')) return
    if (attempt === DRIVE_ATTEMPTS) throw new Error(`Wine could not make its drives: ${stderr}`)
    await rm(env.WINEPREFIX!, { recursive: true, force: true })
  }
}

/** The only library that the runtime needs and Wine 8 lacks; Windows itself has it. */
export const addMissingLibrary = (program: string) =>
  Bun.write(join(program, 'runtime/bcryptprimitives.dll'), forwardingLibrary())

const MACHINES: Readonly<Record<string, number>> = { x64: 0x8664, arm64: 0xaa64 }
const FILE_ALIGNMENT = 0x200
const PAGE = 0x1000

/**
 * A library without code (PE format): its only function, `ProcessPrng`, is a forward to `SystemFunction036`
 * of advapi32, which also fills memory with random bytes.
 */
function forwardingLibrary(): Buffer {
  const header = Buffer.alloc(FILE_ALIGNMENT)
  header.write('MZ')
  header.writeUInt32LE(0x80, 0x3c)
  header.write('PE\0\0', 0x80)
  const numbers = numbersFrom(header, 0x84)
  // One section; an optional header of 240 bytes; a relocatable library.
  numbers([2, MACHINES[process.arch]!], [2, 1], [4, 0], [4, 0], [4, 0], [2, 240], [2, 0x2022])
  numbers([2, 0x20b], [2, 0], [4, 0], [4, FILE_ALIGNMENT], [4, 0], [4, 0], [4, 0])
  numbers([8, 0x180000000], [4, PAGE], [4, FILE_ALIGNMENT], [4, 6], [4, 0], [4, 6], [4, 0])
  numbers([4, 2 * PAGE], [4, FILE_ALIGNMENT], [4, 0], [2, 3], [2, 0x160])
  numbers([8, 0x100000], [8, PAGE], [8, 0x100000], [8, PAGE], [4, 0], [4, 16], [4, PAGE], [4, 0x100])
  // Fifteen empty tables, then the section with the export table.
  numbers(...Array.from({ length: 15 }, () => [8, 0] as const))
  numbers([8, Buffer.from('.rdata\0\0').readUIntLE(0, 6)])
  numbers(
    [4, FILE_ALIGNMENT],
    [4, PAGE],
    [4, FILE_ALIGNMENT],
    [4, FILE_ALIGNMENT],
    [8, 0],
    [4, 0],
    [4, 0x40000040],
  )
  const section = Buffer.alloc(FILE_ALIGNMENT)
  const table = numbersFrom(section, 0)
  table([4, 0], [4, 0], [4, 0], [4, PAGE + 0x40], [4, 1], [4, 1], [4, 1])
  table([4, PAGE + 0x28], [4, PAGE + 0x2c], [4, PAGE + 0x30], [4, PAGE + 0x80], [4, PAGE + 0x60], [2, 0])
  section.write('bcryptprimitives.dll', 0x40)
  section.write('ProcessPrng', 0x60)
  section.write('advapi32.SystemFunction036', 0x80)
  return Buffer.concat([header, section])
}

/** Writes consecutive little-endian numbers. */
function numbersFrom(target: Buffer, start: number) {
  let at = start
  return (...given: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]) => {
    for (const [bytes, value] of given) {
      if (bytes === 8) at = target.writeBigUInt64LE(BigInt(value), at)
      else at = bytes === 4 ? target.writeUInt32LE(value, at) : target.writeUInt16LE(value, at)
    }
  }
}

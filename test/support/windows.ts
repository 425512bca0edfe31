/**
 * A run for Windows (`npm run test:windows`): tests start the archive for Windows, with its own runtime under
 * Wine. The tests themselves run on this machine and reach the service by its address. Wine's drive Z: is the
 * root of this machine, so that a test can examine the data folder.
 */
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Environment } from './host-client.ts'
import { nameOf } from './release.ts'
import { findTool } from './tools.ts'
import { addMissingLibrary, findWine, openWine, WINE } from './wine.ts'

/** Set by `openWindows` for the tests of a run for Windows, as `WindowsRun`. */
export const WINDOWS_VARIABLE = 'FUNDUS_TEST_WINDOWS'

interface WindowsRun {
  /** The folder of the unpacked archive. */
  program: string
  /** The folder that is Wine's drive C:. */
  driveC: string
  env: Environment
}

const REPOSITORY = resolve(import.meta.dir, '../..')

export const windowsRun = (): WindowsRun | undefined => {
  const given = process.env[WINDOWS_VARIABLE]
  return given === undefined ? undefined : (JSON.parse(given) as WindowsRun)
}

/** For tests of Windows alone. */
export function windowsOrFail(): WindowsRun {
  const run = windowsRun()
  if (!run) throw new Error('This test needs a run for Windows: npm run test:windows -- <file>')
  return run
}

/** The name of a path of this machine under Wine. */
export const pathOnZ = (path: string) => `Z:${path.replaceAll('/', '\\')}`
/** A path of this machine as the service names it. */
export const pathAtService = (path: string) => (windowsRun() ? pathOnZ(path) : path)

/**
 * The command for a file of the program with these arguments: with this runtime, or in a run for Windows with
 * that of the archive.
 */
export function programCommand(file: string, args: readonly string[], env: Environment) {
  const windows = windowsRun()
  if (!windows) return { command: [process.execPath, file, ...args], cwd: REPOSITORY, env }
  return {
    command: [WINE, 'runtime/bun.exe', file, ...args],
    cwd: windows.program,
    env: { ...placesOnWindows(env), ...windows.env },
  }
}

const PLACES = ['DATA_DIR', 'SICHERUNG_ZIEL', 'SICHERUNG_ZWEITZIEL']

/**
 * Variables or settings with paths as Windows has them; unchanged outside a run for Windows. Other paths,
 * such as those after a command, stay as they are too: the current drive of started programs is Z:.
 */
export function placesOnWindows<Values extends Record<string, unknown>>(values: Values): Values {
  if (!windowsRun()) return values
  const isPlace = ([name, value]: [string, unknown]) =>
    PLACES.includes(name) && typeof value === 'string' && value.startsWith('/')
  const places = Object.entries(values).filter(isPlace)
  return { ...values, ...Object.fromEntries(places.map(([name, path]) => [name, pathOnZ(String(path))])) }
}

/** The signal that asks a service to stop: Windows has no SIGTERM; under Wine SIGINT arrives as Ctrl+C. */
export const stopSignal = () => (windowsRun() ? 'SIGINT' : 'SIGTERM')

/**
 * The runtime's own warning about Wine, on standard error for every folder of a package: says nothing about
 * Fundus.
 */
const NOISE =
  /Internal error: directory mismatch for directory "[^"\n]*", fd \d+\[handle\]\. You don't need to do anything, but this indicates a bug\.\r?\n/g
/** The runtime writes it in blocks, so that a line of the program may be in the middle of it. */
const BROKEN_HEAD = /^Int.*?(?=fundus: )/m
const BROKEN_TAIL = /^.*this indicates a bug\.\r?\n/gm

export const withoutNoise = (text: string) =>
  windowsRun() ? text.replace(NOISE, '').replace(BROKEN_HEAD, '').replace(BROKEN_TAIL, '') : text

/**
 * Builds and unpacks the archive into this folder, and prepares Wine for it: from now on that archive is
 * started. Ends this process if there is no Wine.
 */
export async function openWindows(folder: string): Promise<AsyncDisposable> {
  if (findTool('wine64', findWine) === null) {
    console.error(
      'The tests for Windows run on Linux with Wine (x64 or arm64), which is not installed. On Debian: sudo apt-get install wine wine64 unzip.',
    )
    process.exit(1)
  }
  const program = await unpackedArchive(folder)
  // The process that holds services belongs to the tests, and is started with the runtime of the archive.
  for (const each of ['test/support', 'src/testing'])
    cpSync(join(REPOSITORY, each), join(program, each), { recursive: true })
  await addMissingLibrary(program)
  const wine = await openWine()
  const run: WindowsRun = { program, driveC: join(wine.env.WINEPREFIX!, 'drive_c'), env: wine.env }
  process.env[WINDOWS_VARIABLE] = JSON.stringify(run)
  return wine
}

async function unpackedArchive(folder: string): Promise<string> {
  const platform = `windows-${process.arch}`
  const name = nameOf(platform)
  for (const command of [
    [process.execPath, join(REPOSITORY, 'release/release.ts'), '--only', platform, '--out', folder],
    ['unzip', '-q', `${name}.zip`],
  ]) {
    const { exitCode, stderr } = Bun.spawnSync(command, { cwd: folder })
    if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${stderr}`)
  }
  return join(folder, name)
}

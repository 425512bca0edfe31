/**
 * The paths of the program's files, both when it runs from the sources and when it runs from the bundle in
 * `dist/` (decision 0029).
 */
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const isBundle = import.meta.path.endsWith('.js')

/** The folder of the program: the checkout, or the unpacked release archive. */
export const PROGRAM_FOLDER = resolve(import.meta.dir, isBundle ? '..' : '../..')
export const SOURCE_FOLDER = join(PROGRAM_FOLDER, 'src')
export const BUNDLE_FOLDER = join(PROGRAM_FOLDER, 'dist')

/** The entry points of threads and child processes, as paths below `src/`. */
export const ENTRY_POINTS = {
  ageKey: 'features/backup/bucket/age-key.worker.ts',
  decoder: 'images/decoder/main.ts',
  decoderWatchdog: 'images/decoder/watchdog.ts',
  expressionThread: 'features/library/change/expression-thread.worker.ts',
  hashThread: 'base/hash/hash-thread.worker.ts',
  placeInspector: 'features/backup/places/place-inspector.worker.ts',
  rehearsal: 'features/rehearsal/rehearsal.worker.ts',
  readerThread: 'database/sqlite/reader-thread.worker.ts',
} as const

/** The path in the bundle for an entry point in the sources. All bundled entry points are in one folder. */
export const bundledEntryPoint = (sourcePath: string) =>
  join(BUNDLE_FOLDER, `${basename(sourcePath, '.ts')}.js`)

export function entryPoint(name: keyof typeof ENTRY_POINTS): URL {
  const sourcePath = ENTRY_POINTS[name]
  return pathToFileURL(isBundle ? bundledEntryPoint(sourcePath) : join(SOURCE_FOLDER, sourcePath))
}

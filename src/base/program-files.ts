/** Where the program's files are, both for the sources and for the bundle in `dist/` (decision 0029). */
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const isBundle = import.meta.path.endsWith('.js')

/** The checkout, or the folder of a release archive. */
export const PROGRAM_FOLDER = resolve(import.meta.dir, isBundle ? '..' : '../..')
export const SOURCES = join(PROGRAM_FOLDER, 'src')
export const BUNDLE = join(PROGRAM_FOLDER, 'dist')

/** Entry points of threads and child processes, by their path in the sources. */
export const STARTED_FILES = {
  ageKey: 'features/backup/bucket/age-key.worker.ts',
  decoder: 'images/decoder/main.ts',
  decoderWatchdog: 'images/decoder/watchdog.ts',
  expressionThread: 'features/library/change/expression-thread.worker.ts',
  hashThread: 'base/hash/hash-thread.worker.ts',
  placeInspector: 'features/backup/places/place-inspector.worker.ts',
  rehearsal: 'features/rehearsal/rehearsal.worker.ts',
  readerThread: 'database/sqlite/reader-thread.worker.ts',
} as const

/** All entry points of the bundle are in one folder. */
export const bundledFile = (source: string) => join(BUNDLE, `${basename(source, '.ts')}.js`)

export function startedFile(name: keyof typeof STARTED_FILES): URL {
  const source = STARTED_FILES[name]
  return pathToFileURL(isBundle ? bundledFile(source) : join(SOURCES, source))
}

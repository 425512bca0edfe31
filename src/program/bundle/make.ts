/**
 * Builds the bundle unless it is up to date, for `npm start`, `npm run build` and `npm run release`. With
 * `--if-possible`, a build that fails (for example without write permission) is no error, because the program
 * then runs from its sources.
 */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { BUNDLE_FOLDER, ENTRY_POINTS, SOURCE_FOLDER } from '../../base/program-files.ts'
import { DAY } from '../../contract/values/units.ts'
import { currentBundle, PROGRAM_ENTRY_POINT } from './bundle.ts'

/** Prefix of the files whose names contain a hash of their content. */
const CHUNK_PREFIX = 'chunk-'
/** Packages that load native files from their own folder cannot be bundled. */
const NATIVE_PACKAGES = ['sharp']
/** Milliseconds for which files of earlier bundles are kept, because running services may still load them. */
const OLD_FILE_RETENTION = 30 * DAY

async function makeBundle(): Promise<void> {
  const startTime = new Date()
  const newFolder = mkdtempSync(`${BUNDLE_FOLDER}.new-`)
  try {
    await Bun.build({
      entrypoints: [...Object.values(ENTRY_POINTS), PROGRAM_ENTRY_POINT].map(name =>
        join(SOURCE_FOLDER, name),
      ),
      outdir: newFolder,
      naming: { entry: '[name].[ext]', chunk: `${CHUNK_PREFIX}[hash].[ext]` },
      target: 'bun',
      splitting: true,
      // With the maps, stack traces name the lines of the sources. The maps are read only when a stack is
      // printed.
      sourcemap: 'linked',
      external: NATIVE_PACKAGES,
    })
    const names = readdirSync(newFolder).sort((a, b) => replacementOrder(a) - replacementOrder(b))
    if (mkdirSync(BUNDLE_FOLDER, { recursive: true })) chmodSync(BUNDLE_FOLDER, 0o755)
    for (const name of names) {
      finishFile(join(newFolder, name), startTime)
      renameSync(join(newFolder, name), join(BUNDLE_FOLDER, name))
    }
    for (const name of readdirSync(BUNDLE_FOLDER))
      if (!names.includes(name)) removeIfOld(join(BUNDLE_FOLDER, name))
  } finally {
    rmSync(newFolder, { recursive: true, force: true })
  }
}

/**
 * The order in which the files are moved into the bundle. Files with a hash in their name come first and the
 * entry file of the program last, so that after an interrupted build the earlier entry file still works.
 */
const replacementOrder = (name: string) =>
  name.startsWith(CHUNK_PREFIX) ? 0 : name.startsWith(basename(PROGRAM_ENTRY_POINT, '.ts')) ? 2 : 1

/**
 * Removes a file of an earlier bundle, but only if it is older than `OLD_FILE_RETENTION`: running services
 * load some chunks of their bundle only when they need them.
 */
function removeIfOld(path: string): void {
  if (Date.now() - statSync(path).mtimeMs > OLD_FILE_RETENTION) rmSync(path, { recursive: true, force: true })
}

/**
 * Makes a file ready to be moved into the bundle: sets its permissions and its time, and flushes it. The time
 * is the start of the build, so that a source that was changed during the build is newer.
 */
function finishFile(path: string, startTime: Date): void {
  chmodSync(path, 0o644)
  utimesSync(path, startTime, startTime)
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

if (currentBundle() === null)
  await makeBundle().catch(error => {
    if (!process.argv.includes('--if-possible')) throw error
  })

/**
 * `npm run build`: builds the dashboard and compresses its files. The build is written to a folder beside
 * `dist` and replaces `dist` only when it is complete, so that a service that starts meanwhile never sees
 * half a build. With `--if-needed` nothing is built if no source has changed since the last build.
 */
import {
  accessSync,
  chmodSync,
  constants as fsConstants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { createPickText, terminalLanguageOf } from '../../src/base/language.ts'
import { formatBytes } from '../../src/contract/values/bytes.ts'
import { READ_ONLY_EXIT_CODE } from '../../src/program/commands/build-dashboard.ts'
import { firstLoadSize } from './first-load.ts'
import { DASHBOARD_FOLDER, DIST, distStamp, sourceStamp } from './stamp.ts'

/**
 * The names of the files to compress. Pictures are compressed already, and `index.html` is a template that
 * the service fills in for each answer.
 */
const COMPRESSIBLE_FILE = /\.(?:js|css|svg|json)$/
/** Smaller files fit into one network packet anyway. */
const MIN_COMPRESSED_BYTES = 1000
/** Milliseconds after which the folder of an unfinished build counts as abandoned. */
const ABANDONED_BUILD_AGE = 10 * 60_000

const stamp = sourceStamp()
const buildsOnlyIfNeeded = process.argv.includes('--if-needed')
if (buildsOnlyIfNeeded && distStamp() === stamp) process.exit(0)
const language = terminalLanguageOf(process.env)
const localize = createPickText(language)
if (!isWritable()) {
  console.error(
    localize(
      `Die Seiten der Verwaltung sind nicht gebaut oder veraltet, und in ${DASHBOARD_FOLDER} darf dieser Benutzer nicht schreiben: bitte „npm run build“ als Besitzer dieses Ordners geben und dann neu starten.`,
      `The pages of the dashboard are not built, or out of date, and this user may not write to ${DASHBOARD_FOLDER}: please run “npm run build” as the owner of that folder, then start again.`,
    ),
  )
  process.exit(READ_ONLY_EXIT_CODE)
}
console.info(
  localize(
    'Die Seiten der Verwaltung werden gebaut; das dauert einige Sekunden …',
    'The pages of the dashboard are being built; this takes a few seconds …',
  ),
)

removeAbandonedBuilds()
// A caller, such as a test, may have set another value. React would then be built in its slow development
// form.
process.env.NODE_ENV = 'production'
const newDist = mkdtempSync(join(DASHBOARD_FOLDER, 'dist.new-'))
try {
  // Imported only now, because Vite is large and at most starts there is nothing to build.
  const { build } = await import('vite')
  await build({
    configFile: join(DASHBOARD_FOLDER, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: newDist },
  })
  compressFiles(newDist)
  writeFileSync(join(newDist, 'stamp'), stamp)
  // Only its owner may read a folder made by mkdtemp; the service may run as another user.
  chmodSync(newDist, 0o755)
  rmSync(DIST, { recursive: true, force: true })
  renameSync(newDist, DIST)
} catch (error) {
  if (!buildsOnlyIfNeeded) throw error
  // Without the stack: the reader only wanted to start the service.
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(newDist, { recursive: true, force: true })
}
if (!buildsOnlyIfNeeded) printFirstLoadSize()

function isWritable(): boolean {
  try {
    accessSync(DASHBOARD_FOLDER, fsConstants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Tells people who work on the dashboard how much a browser loads for the first page. */
function printFirstLoadSize(): void {
  const { script, style } = firstLoadSize(DIST)
  const [scripts, styles] = [script, style].map(bytes => formatBytes(bytes, language))
  console.info(
    localize(
      `Erste Ansicht der Dateien: ${scripts} Skript, ${styles} Gestaltung (komprimiert)`,
      `First view of the files: ${scripts} of script, ${styles} of styles (compressed)`,
    ),
  )
}

/**
 * Removes the folders of builds that were killed. A recent folder is kept: its build may still be running.
 */
function removeAbandonedBuilds(): void {
  for (const name of readdirSync(DASHBOARD_FOLDER).filter(each => each.startsWith('dist.new-'))) {
    const path = join(DASHBOARD_FOLDER, name)
    if (Date.now() - statSync(path).mtimeMs > ABANDONED_BUILD_AGE)
      rmSync(path, { recursive: true, force: true })
  }
}

function compressFiles(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter(each => COMPRESSIBLE_FILE.test(each))) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    if (bytes.length < MIN_COMPRESSED_BYTES) continue
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/**
 * `npm run build`: the dashboard's files, each also compressed. Written beside `dist` and put in its place only when
 * complete, so that a service that starts meanwhile never sees half a build. `--if-needed` builds only what changed.
 */
import {
  accessSync,
  chmodSync,
  constants as constantsOfFiles,
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
import { languageOf, sayIn } from '../../src/base/language.ts'
import { formatBytes } from '../../src/contract/values/bytes.ts'
import { READ_ONLY_EXIT } from '../../src/program/commands/build-dashboard.ts'
import { firstLoad } from './first-load.ts'
import { builtStamp, DASHBOARD, DIST, sourceStamp } from './stamp.ts'

/** Pictures are compressed already, and the page differs from answer to answer; below a packet's size nothing is won. */
const COMPRESSIBLE = /\.(?:js|css|svg|json)$/
const WORTH_COMPRESSING = 1000
const LEFTOVER_AGE = 10 * 60_000

const stamp = sourceStamp()
const ifNeeded = process.argv.includes('--if-needed')
if (ifNeeded && builtStamp() === stamp) process.exit(0)
const language = languageOf(process.env)
const say = sayIn(language)
if (!isWritable()) {
  console.error(
    say(
      `Die Seiten der Verwaltung sind nicht gebaut oder veraltet, und in ${DASHBOARD} darf dieser Benutzer nicht schreiben: bitte „npm run build“ als Besitzer dieses Ordners geben und dann neu starten.`,
      `The pages of the dashboard are not built, or out of date, and this user may not write to ${DASHBOARD}: please run “npm run build” as the owner of that folder, then start again.`,
    ),
  )
  process.exit(READ_ONLY_EXIT)
}
console.info(
  say(
    'Die Seiten der Verwaltung werden gebaut; das dauert einige Sekunden …',
    'The pages of the dashboard are being built; this takes a few seconds …',
  ),
)

clearLeftovers()
// Whoever starts this, such as a test, may say something else, and React would come in its slow form.
process.env.NODE_ENV = 'production'
const fresh = mkdtempSync(join(DASHBOARD, 'dist.new-'))
try {
  // Only now: it is large, and at most starts there is nothing to build.
  const { build } = await import('vite')
  await build({
    configFile: join(DASHBOARD, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh },
  })
  compress(fresh)
  writeFileSync(join(fresh, 'stamp'), stamp)
  // A temporary folder is its maker's alone; the service may run as another user.
  chmodSync(fresh, 0o755)
  rmSync(DIST, { recursive: true, force: true })
  renameSync(fresh, DIST)
} catch (error) {
  if (!ifNeeded) throw error
  // Whoever only starts the service has no use for the place in the source.
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
if (!ifNeeded) tellSize()

function isWritable(): boolean {
  try {
    accessSync(DASHBOARD, constantsOfFiles.W_OK)
    return true
  } catch {
    return false
  }
}

/** For those who work on the dashboard; whoever starts the service need not know. */
function tellSize(): void {
  const { script, style } = firstLoad(DIST)
  const [scripts, styles] = [script, style].map(bytes => formatBytes(bytes, language))
  console.info(
    say(
      `Erste Ansicht der Dateien: ${scripts} Skript, ${styles} Gestaltung (komprimiert)`,
      `First view of the files: ${scripts} of script, ${styles} of styles (compressed)`,
    ),
  )
}

/** Of builds that were killed; a young one may still be at work. */
function clearLeftovers(): void {
  for (const name of readdirSync(DASHBOARD).filter(each => each.startsWith('dist.new-'))) {
    const path = join(DASHBOARD, name)
    if (Date.now() - statSync(path).mtimeMs > LEFTOVER_AGE) rmSync(path, { recursive: true, force: true })
  }
}

function compress(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter(each => COMPRESSIBLE.test(each))) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    if (bytes.length < WORTH_COMPRESSING) continue
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

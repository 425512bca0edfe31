/** Makes the bundle of the program, unless it is there already: `bun src/bundle/make.ts`, a part of `npm run build`. */
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
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { type BunPlugin, Glob } from 'bun'
import { tryLock } from '../storage/process-lock.ts'
import { BUNDLES, bundleFolder, IN_USE, isMade, SOURCES } from './bundle.ts'

/** Bundles that are kept besides the newest and those in use: commands hold no lock, and somebody may go back a version. */
const KEPT = 2
const UNFINISHED = 'new-'
const BUNDLE = /^[0-9.]+-[0-9a-f]{16}$/
const LEFTOVER_AGE = 10 * 60_000

const COMMAND_LINE = 'command-line.ts'
/** Starts new processes: they look for a bundle by themselves. */
const PROGRAM = 'cli.ts'
/** A file that is started as a thread or process is named like this. */
const STARTED_FILE = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g
const BASE = 'import.meta.url'
/** Finds its native parts beside its own files. */
const NATIVE = ['sharp']

async function make(target: string): Promise<void> {
  if (mkdirSync(BUNDLES, { recursive: true })) chmodSync(BUNDLES, 0o755)
  const fresh = mkdtempSync(join(BUNDLES, UNFINISHED))
  try {
    const { success, logs } = await Bun.build({
      entrypoints: [COMMAND_LINE, ...(await startedFiles())].map(name => join(SOURCES, name)),
      outdir: fresh,
      naming: { entry: '[name].[ext]' },
      target: 'bun',
      // Stacks name the files and lines of the sources; read only when there is one to tell.
      sourcemap: 'linked',
      splitting: true,
      external: NATIVE,
      plugins: [ADDRESSES],
    })
    if (!success) throw new AggregateError(logs, 'the bundle could not be made')
    // A source that changed meanwhile: what was built is not what the name says.
    if (bundleFolder() !== target) throw new Error('the sources changed while the bundle was made')
    writeFileSync(join(fresh, IN_USE), '')
    for (const name of readdirSync(fresh)) finish(join(fresh, name), 0o644)
    // A temporary folder is its maker's alone; the service may run as another user.
    chmodSync(fresh, 0o755)
    if (!isMade(target)) rmSync(target, { recursive: true, force: true })
    renameSync(fresh, target)
  } catch (error) {
    // Another maker was faster.
    if (!isMade(target)) throw error
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  removeOld()
}

/** On disk before the folder gets its name: nobody would make a bundle again that a power cut left empty. */
function finish(path: string, mode: number): void {
  chmodSync(path, mode)
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/** The files from the sources on that are started as threads or processes of their own. */
async function startedFiles(): Promise<string[]> {
  const names: string[] = []
  for await (const name of new Glob('**/*.ts').scan(SOURCES)) {
    if (/\.test\.ts$|[\\/]testing[\\/]/.test(name)) continue
    const text = await Bun.file(join(SOURCES, name)).text()
    for (const [, started] of text.matchAll(STARTED_FILE)) names.push(join(dirname(name), started!))
  }
  return names.filter(name => name !== PROGRAM)
}

/** All files of a bundle lie in one folder, so addresses in the sources change: of files that are started, and of folders. */
const ADDRESSES: BunPlugin = {
  name: 'addresses',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text()
      return { contents: path.startsWith(SOURCES + sep) ? moved(text, path) : text, loader: 'ts' }
    })
  },
}

function moved(text: string, path: string): string {
  const unknown = (what: string) => new Error(`${path}: a bundle cannot follow this ${what}`)
  if (text.replace(STARTED_FILE, '').includes(BASE)) throw unknown(BASE)
  return text
    .replace(
      STARTED_FILE,
      (_, started) => `new URL('${addressOf(resolve(dirname(path), started))}', ${BASE})`,
    )
    .replace(/import\.meta\.(\w+)/g, (found, property) => {
      if (property === 'dir') return `(${found} + ${JSON.stringify(`/${fromBundle(dirname(path))}`)})`
      if (found === BASE || property === 'main') return found
      throw unknown(found)
    })
}

const addressOf = (started: string) =>
  started === join(SOURCES, PROGRAM) ? fromBundle(started) : `./${basename(started, '.ts')}.js`

const fromBundle = (path: string) => relative(join(BUNDLES, 'any'), path).replaceAll('\\', '/')

/** Keeps a few; what a maker that was killed left goes as well, unless it is young and may still be at work. */
function removeOld(): void {
  const age = (name: string) =>
    Date.now() - (statSync(join(BUNDLES, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  const names = readdirSync(BUNDLES)
  const made = names.filter(name => BUNDLE.test(name)).sort((one, other) => age(one) - age(other))
  const broken = names.filter(name => name.startsWith(UNFINISHED) && age(name) > LEFTOVER_AGE)
  for (const name of [...made.slice(1 + KEPT).filter(isUnused), ...broken])
    try {
      rmSync(join(BUNDLES, name), { recursive: true, force: true })
    } catch {
      // Next time: on Windows somebody may be reading it.
    }
}

function isUnused(name: string): boolean {
  try {
    const lock = tryLock(join(BUNDLES, name, IN_USE))
    lock?.release()
    return lock !== null
  } catch {
    return false
  }
}

const folder = bundleFolder()
if (folder && !isMade(folder)) await make(folder)

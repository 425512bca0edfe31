/** Makes the bundle of the program, unless it is there already: `bun src/bundle/make.ts`, a part of `npm run build`. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type BunPlugin, Glob } from 'bun'
import { BUNDLES, bundleFolder, SOURCES } from './bundle.ts'

/** Bundles that are kept besides the newest: a service that runs on one of them loads parts of it when they are first needed. */
const KEPT = 2
const UNFINISHED = 'new-'
const LEFTOVER_AGE = 10 * 60_000

const COMMAND_LINE = 'command-line.ts'
/** Starts new processes: they look for a bundle by themselves. */
const PROGRAM = 'cli.ts'
/** A file that is started as a thread or process is named like this. */
const STARTED_FILE = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g
/** Finds its native parts beside its own files. */
const NATIVE = ['sharp']

async function make(target: string): Promise<void> {
  mkdirSync(BUNDLES, { recursive: true })
  const fresh = mkdtempSync(join(BUNDLES, UNFINISHED))
  try {
    const { success, logs } = await Bun.build({
      entrypoints: [COMMAND_LINE, ...(await startedFiles())].map(name => join(SOURCES, name)),
      outdir: fresh,
      naming: { entry: '[name].[ext]' },
      target: 'bun',
      splitting: true,
      external: NATIVE,
      plugins: [ADDRESSES],
    })
    if (!success) throw new AggregateError(logs, 'the bundle could not be made')
    // A temporary folder is its maker's alone; the service may run as another user.
    chmodSync(fresh, 0o755)
    renameSync(fresh, target)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  removeOld()
}

/** The files from the sources on that are started as threads or processes of their own. */
async function startedFiles(): Promise<string[]> {
  const names: string[] = []
  for await (const name of new Glob('**/*.ts').scan(SOURCES)) {
    if (/\.test\.ts$|\/testing\//.test(name)) continue
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
      return { contents: path.startsWith(SOURCES) ? moved(text, path) : text, loader: 'ts' }
    })
  },
}

function moved(text: string, path: string): string {
  const source = JSON.stringify(`/${fromBundle(dirname(path))}`)
  return text
    .replace(
      STARTED_FILE,
      (_, started) => `new URL('${addressOf(resolve(dirname(path), started))}', import.meta.url)`,
    )
    .replaceAll('import.meta.dir', `(import.meta.dir + ${source})`)
}

const addressOf = (started: string) =>
  started === join(SOURCES, PROGRAM) ? fromBundle(started) : `./${basename(started, '.ts')}.js`

const fromBundle = (path: string) => relative(join(BUNDLES, 'any'), path).replaceAll('\\', '/')

/** Keeps a few; what a maker that was killed left goes as well, unless it is young and may still be at work. */
function removeOld(): void {
  const age = (name: string) => Date.now() - statSync(join(BUNDLES, name)).mtimeMs
  const names = readdirSync(BUNDLES)
  const made = names.filter(name => !name.startsWith(UNFINISHED)).sort((one, other) => age(one) - age(other))
  const broken = names.filter(name => name.startsWith(UNFINISHED) && age(name) > LEFTOVER_AGE)
  for (const name of [...made.slice(1 + KEPT), ...broken])
    rmSync(join(BUNDLES, name), { recursive: true, force: true })
}

const folder = bundleFolder()
if (folder && !existsSync(folder)) await make(folder)

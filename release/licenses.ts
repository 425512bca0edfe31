/**
 * The licence texts of an archive: of the compiled parts, and of the packages in the pages of the dashboard.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { type Entry, textEntry } from './archives.ts'
import { type NativePart, RUNTIME_SOURCE } from './native-parts.ts'
import { type Package, REPOSITORY } from './packages.ts'

const TEXTS = join(REPOSITORY, 'node_modules/spdx-license-list/licenses')
/** The LGPL 3 is a supplement to the GPL 3, whose text goes with it. */
const SUPPLEMENTED = new Map([['LGPL-3.0-or-later', 'GPL-3.0-or-later']])

interface Compiled {
  runtime: Package
  runtimeParts: readonly NativePart[]
  library: Package
  libraryParts: readonly NativePart[]
}

/** A list of the compiled parts with their licences and sources, and the text of each licence. */
export async function compiledLicences({
  runtime,
  runtimeParts,
  library,
  libraryParts,
}: Compiled): Promise<Entry[]> {
  const runtimeItself = { name: 'Bun', license: 'MIT', source: RUNTIME_SOURCE }
  const all = [runtimeItself, ...runtimeParts, ...libraryParts]
  const ids = new Set(all.flatMap(({ license }) => idsIn(license)))
  for (const [id, other] of SUPPLEMENTED) if (ids.has(id)) ids.add(other)
  const list = [
    'The compiled programs in this archive contain these parts. The text of each licence is in the file of its name.\n',
    sectionOf(`The runtime (Bun ${runtime.version}), runtime/`, [runtimeItself, ...runtimeParts]),
    sectionOf(`The image library (${library.name} ${library.version}), ${library.path}/`, libraryParts),
    'The sources of all parts are at the addresses given. Each part may be replaced by another version: the runtime\nby setting its own build in its place, the image library as a shared library.\n',
  ]
  return [
    textEntry('licenses/README.txt', list.join('\n')),
    ...(await Promise.all([...ids].sort().map(textOf))),
  ]
}

function sectionOf(title: string, parts: readonly NativePart[]): string {
  const lines = parts.map(
    ({ name, version = '', license, source }) =>
      `  ${[name, version].join(' ').trim()}\n    ${license}\n    ${source}\n`,
  )
  return `${title}\n\n${lines.join('')}`
}

/** The identifiers of an SPDX expression; the exception behind WITH only permits more. */
const idsIn = (expression: string) =>
  expression
    .replace(/ WITH \S+/g, '')
    .split(/ (?:AND|OR) /)
    .map(id => id.replace(/[()]/g, ''))

async function textOf(id: string): Promise<Entry> {
  const { licenseText } = (await Bun.file(join(TEXTS, `${id}.json`)).json()) as { licenseText: string }
  return textEntry(`licenses/${id}.txt`, `${licenseText.trim()}\n`)
}

/**
 * Of packages that are compiled into the pages of the dashboard: their licences ask to be passed on with
 * them.
 */
export async function bundledLicences(packages: readonly Package[]): Promise<Entry> {
  const parts = packages.map(async ({ name, version, path, license }) => {
    const [file] = existsSync(join(REPOSITORY, path))
      ? [...new Glob('{LICENSE,LICENCE,license}*').scanSync(join(REPOSITORY, path))].sort()
      : []
    const words = file ? await Bun.file(join(REPOSITORY, path, file)).text() : `Licence: ${license}`
    return `${name} ${version}\n\n${words.trim()}\n`
  })
  return textEntry('dashboard/licenses.txt', (await Promise.all(parts)).join(`\n${'-'.repeat(80)}\n\n`))
}

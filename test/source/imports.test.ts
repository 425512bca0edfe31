/**
 * Imports between files: no cycle, no two features that need each other, and no import from a layer above.
 */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

const REPOSITORY = join(import.meta.dir, '../..')

type Imports = ReadonlyMap<string, readonly string[]>

const importsIn = (file: string, source: string) =>
  [...source.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )

async function importsOfSource(): Promise<Imports> {
  const files = ['src', 'bench', 'dashboard/src'].flatMap(folder => [
    ...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync(REPOSITORY),
  ])
  const sources = files
    .filter(file => !/\.test\.ts$|\/testing/.test(file))
    .map(async file => [file, importsIn(file, await Bun.file(join(REPOSITORY, file)).text())] as const)
  return new Map(await Promise.all(sources))
}

/** Each cycle once, as the path that leads back to its first file. */
function circlesIn(imports: Imports): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) circles.push([...path.slice(at), file].join(' → '))
    if (at >= 0 || done.has(file)) return
    for (const imported of imports.get(file) ?? []) visit(imported, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return circles
}

const featureOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1]

function mutualFeatures(imports: Imports): string[] {
  const needs = new Set<string>()
  for (const [file, imported] of imports) {
    const feature = featureOf(file)
    for (const other of imported.map(featureOf))
      if (feature && other && feature !== other) needs.add(`${feature} ${other}`)
  }
  return [...needs].filter(pair => {
    const [one = '', other = ''] = pair.split(' ')
    return one < other && needs.has(`${other} ${one}`)
  })
}

interface SourceTree {
  root: string
  /** From the top down. A folder may import from its own floor and from those below. */
  floors: readonly string[]
}

/** As in the picture of docs/architecture.md. */
const SERVICE: SourceTree = {
  root: 'src/',
  floors: [
    'cli.ts',
    'program',
    'service',
    'features',
    'adapters',
    'config',
    'http',
    'images',
    'jobs',
    'database',
    'storage',
    'errors',
    'contract',
    'base',
  ],
}
const DASHBOARD: SourceTree = {
  root: 'dashboard/src/',
  floors: ['app', 'frame', 'files', 'pages', 'uploads', 'ui', 'api', 'language', 'state'],
}

/** The floor of a file; -1 if its folder has none, null if the file is not in this tree. */
const floorIn = ({ root, floors }: SourceTree, file: string) =>
  file.startsWith(root) ? floors.indexOf(file.slice(root.length).split('/')[0]!) : null

const withoutFloor = (tree: SourceTree, files: Iterable<string>) =>
  [...files].filter(file => floorIn(tree, file) === -1)

function upwards(tree: SourceTree, imports: Imports): string[] {
  return [...imports].flatMap(([file, imported]) => {
    const floor = floorIn(tree, file)
    return imported
      .filter(each => floor !== null && (floorIn(tree, each) ?? floor) < floor)
      .map(each => `${file} → ${each}`)
  })
}

/** Number of files in a folder, without the tests beside them. */
const MOST_FILES = 25

function crowded(files: Iterable<string>): string[] {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder]) => folder)
}

const imports = await importsOfSource()

test('every folder of the sources has its floor', () => {
  expect(withoutFloor(SERVICE, imports.keys())).toEqual([])
  expect(withoutFloor(DASHBOARD, imports.keys())).toEqual([])
  const picture = readFileSync(join(REPOSITORY, 'docs/architecture.md'), 'utf8')
  const drawn = [
    ...picture.slice(picture.indexOf('WHICH FOLDER')).matchAll(/^ {2}([a-z]+(?:\/|\.ts)) {2,}/gm),
  ].map(([, name]) => name!.replace('/', ''))
  expect(drawn).toEqual([...SERVICE.floors])
})

test.each([SERVICE, DASHBOARD])(
  'below $root nothing imports from a floor above, and no folder is crowded',
  tree => {
    const files = [...imports.keys()].filter(file => file.startsWith(tree.root))
    expect(files.length).toBeGreaterThan(200)
    expect(upwards(tree, imports)).toEqual([])
    expect(crowded(files)).toEqual([])
  },
)

/** The HTTP server could be extracted and used elsewhere: it imports only the lowest layer. */
const beyondServer = (imports: Imports) =>
  [...imports].flatMap(([file, imported]) =>
    file.startsWith('src/http/server/')
      ? imported.filter(each => !/^src\/(http\/server|base)\//.test(each)).map(each => `${file} → ${each}`)
      : [],
  )

test('the HTTP server imports nothing of storage, contract, errors or the rest', () => {
  expect([...imports.keys()].some(file => file.startsWith('src/http/server/'))).toBe(true)
  expect(beyondServer(imports)).toEqual([])
})

test('no circle between files', () => {
  expect(imports.size).toBeGreaterThan(200)
  expect(circlesIn(imports)).toEqual([])
})

test('no two features import each other', () => {
  expect(mutualFeatures(imports)).toEqual([])
})

test('an import from above, a folder without a floor and a crowded folder would be found', () => {
  const made = new Map([
    ['src/http/x.ts', ['src/features/a/y.ts', 'src/base/z.ts']],
    ['src/features/a/y.ts', ['src/http/x.ts', 'src/features/b/z.ts']],
    ['dashboard/src/ui/x.tsx', ['dashboard/src/files/y.ts', 'dashboard/src/state/z.ts', 'src/contract/z.ts']],
    ['dashboard/src/other/y.ts', []],
  ])
  expect(upwards(SERVICE, made)).toEqual(['src/http/x.ts → src/features/a/y.ts'])
  expect(upwards(DASHBOARD, made)).toEqual(['dashboard/src/ui/x.tsx → dashboard/src/files/y.ts'])
  expect(withoutFloor(SERVICE, made.keys())).toEqual([])
  expect(withoutFloor(DASHBOARD, made.keys())).toEqual(['dashboard/src/other/y.ts'])
  const many = (count: number) => Array.from({ length: count }, (_, at) => `src/base/${at}.ts`)
  expect([crowded(many(25)), crowded(many(26))]).toEqual([[], ['src/base']])
})

test('an import of the HTTP server from elsewhere would be found', () => {
  const imported = ['src/base/log.ts', 'src/http/server/a.ts', 'src/http/path.ts', 'src/storage/names.ts']
  const made = new Map([['src/http/server/sending/x.ts', imported]])
  expect(beyondServer(made)).toEqual(
    ['src/http/path.ts', 'src/storage/names.ts'].map(each => `src/http/server/sending/x.ts → ${each}`),
  )
})

test('a circle and a mutual pair would be found', () => {
  const made = new Map([
    ['src/features/a/x.ts', ['src/features/b/y.ts']],
    ['src/features/b/y.ts', ['src/features/c/z.ts']],
    ['src/features/c/z.ts', ['src/features/a/x.ts']],
    ['src/features/b/other.ts', ['src/features/a/x.ts']],
  ])
  expect(circlesIn(made)).toEqual([
    'src/features/a/x.ts → src/features/b/y.ts → src/features/c/z.ts → src/features/a/x.ts',
  ])
  expect(mutualFeatures(made)).toEqual(['a b'])
})

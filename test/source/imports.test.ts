/** What imports what: no circle between files, and no two features that need each other. */
import { expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

const REPOSITORY = join(import.meta.dir, '../..')

type Imports = ReadonlyMap<string, readonly string[]>

const importsIn = (file: string, source: string) =>
  [...source.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )

async function importsOfSource(): Promise<Imports> {
  const files = ['src', 'bench'].flatMap(folder => [...new Glob(`${folder}/**/*.ts`).scanSync(REPOSITORY)])
  const sources = files
    .filter(file => !/\.test\.ts$|\/testing/.test(file))
    .map(async file => [file, importsIn(file, await Bun.file(join(REPOSITORY, file)).text())] as const)
  return new Map(await Promise.all(sources))
}

/** Each circle once, as the path that leads back to its first file. */
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

const imports = await importsOfSource()

test('no circle between files', () => {
  expect(imports.size).toBeGreaterThan(200)
  expect(circlesIn(imports)).toEqual([])
})

test('no two features import each other', () => {
  expect(mutualFeatures(imports)).toEqual([])
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

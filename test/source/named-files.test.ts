/**
 * What the documents name exists: source files and pages in inline code and in layout blocks, and the
 * features in the picture of docs/architecture.md.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const REPOSITORY = join(import.meta.dir, '../..')

const filesBelow = (folder: string) =>
  [...new Glob(`${folder}/**/*.{ts,tsx,css,html,md}`).scanSync(REPOSITORY)].filter(
    file => !/\/(?:dist|node_modules|out)\//.test(file),
  )
const files = [
  ...readdirSync(REPOSITORY),
  ...['bench', 'clients', 'dashboard', 'docs', 'release', 'src', 'test'].flatMap(filesBelow),
]

/**
 * Every file by its path and by every end of its path, since documents leave out the folders that they are
 * about.
 */
const pathEnds = new Set(
  files.flatMap(file => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
)

const FENCED = /^```(\w*)\n([\s\S]*?)^```/gm
const INLINE = /`([^`\n]+)`/g
/** A path without placeholders; folders may be abbreviated by a letter, as in docs/coverage.md. */
const FILE = /^(?:[A-Z]\/)?([\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|css|html|md))$/
/** Code and output have a language after the fence; a layout has none. */
const layoutsIn = (text: string) =>
  [...text.matchAll(FENCED)].flatMap(([, language, block = '']) => (language === '' ? [block] : []))

/** The named files that do not exist. */
function missingFiles(text: string): string[] {
  const inline = [...text.replace(FENCED, '').matchAll(INLINE)].map(([, code = '']) => code)
  const words = [...inline, ...layoutsIn(text)].flatMap(code => code.split(/[\s,;:()]+/))
  const named = words.flatMap(word => FILE.exec(word)?.[1] ?? [])
  return [...new Set(named)].filter(name => !pathEnds.has(name))
}

const PICTURE = 'FEATURES BY SCOPE'

/** The features in the last column of the picture, each once. */
function featuresIn(text: string): string[] {
  const picture = layoutsIn(text).find(block => block.includes(PICTURE)) ?? ''
  const rows = picture.split('\n').filter(line => line.trim() !== '' && !line.includes(PICTURE))
  const names = rows.flatMap(row => row.split(/ {2,}/).at(-1)!.split(/, ?/))
  return [...new Set(names)].filter(name => name !== '').sort()
}

const read = (file: string) => Bun.file(join(REPOSITORY, file)).text()

const documents = [
  'CONTRIBUTING.md',
  'bench/README.md',
  'dashboard/README.md',
  'test/acceptance/README.md',
  ...new Glob('docs/**/*.md').scanSync(REPOSITORY),
]

test.each(documents.toSorted())('%s names only files that exist', async file => {
  expect(missingFiles(await read(file))).toEqual([])
})

test('the picture of the architecture has every feature, and no other', async () => {
  const folders = readdirSync(join(REPOSITORY, 'src/features'))
  const features = folders.filter(name => existsSync(join(REPOSITORY, 'src/features', name, 'feature.ts')))
  expect(featuresIn(await read('docs/architecture.md'))).toEqual(features.sort())
})

describe('a name that is out of date is found', () => {
  test.each([
    ['a missing file in inline code', 'see `src/service/gone.ts`', ['src/service/gone.ts']],
    [
      'a missing file in a layout',
      '```\nsrc/gone.ts  does (gone.test.ts)\n```\n',
      ['src/gone.ts', 'gone.test.ts'],
    ],
    ['a file in another folder', '`service/feature.ts`', ['service/feature.ts']],
    ['files that exist', '`src/service/app.ts`, `service/app.ts`, `app.ts`, `A/access.test.ts`', []],
    [
      'placeholders, addresses and code',
      '`<x>.route.ts` `/f/a.html` `….de.md`\n```sh\nbun gone.ts\n```\n',
      [],
    ],
  ])('%s', (_, text, missing) => {
    expect(missingFiles(text)).toEqual(missing)
  })

  test('features of the picture, each once', () => {
    const picture = `\`\`\`\n  ${PICTURE} (who calls)\n\n  open   everybody   status, drops,\n                     serve\n  –      no routes   drops\n\`\`\`\n`
    expect(featuresIn(picture)).toEqual(['drops', 'serve', 'status'])
  })
})

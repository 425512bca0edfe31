/** What the dashboard may import of the service, and how large its first view may be. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { firstLoadSize } from '../scripts/first-load.ts'
import { DIST } from '../scripts/stamp.ts'

const SOURCES = import.meta.dir
const CONTRACT = resolve(SOURCES, '../../src/contract')
/** Checks settings in place with the service's own schemas. */
const MAY_JUDGE = ['pages/settings/rules.ts']
/** Bytes as the service sends them, compressed by brotli. */
const FILES_MAX = 220_000
/** React alone is 58 kB of it. */
const ENTRANCE_MAX = 80_000

const IMPORT = /(?:^|\n)(import|export)(\s+type)?\s[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/g

interface Import {
  from: string
  to: string
  typesOnly: boolean
  /** Loaded on demand, so it does not count towards the first view. */
  late: boolean
}

function importsOf(path: string): Import[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(IMPORT)].flatMap(([, , type, first, second]) => {
    const name = first ?? second ?? ''
    return name.startsWith('.')
      ? [
          {
            from: path,
            to: resolve(dirname(path), name),
            typesOnly: type !== undefined,
            late: second !== undefined,
          },
        ]
      : []
  })
}

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
  .map(name => join(SOURCES, name))
const outside = files.flatMap(importsOf).filter(({ to }) => relative(SOURCES, to).startsWith('..'))

describe('imports', () => {
  test('of the service only the contract', () => {
    expect(outside.length).toBeGreaterThan(5)
    expect(outside.filter(({ to }) => relative(CONTRACT, to).startsWith('..'))).toEqual([])
  })

  test('values only from files without schemas; a schema is a type here', () => {
    const usesSchemas = (path: string): boolean =>
      readFileSync(path, 'utf8').includes("from 'zod'") ||
      importsOf(path).some(({ to, typesOnly }) => !typesOnly && usesSchemas(to))
    const values = outside.filter(({ to, typesOnly }) => !typesOnly && usesSchemas(to))
    expect(values.filter(({ late }) => !late)).toEqual([])
    expect(values.map(({ from }) => relative(SOURCES, from))).toEqual(MAY_JUDGE)
  })

  // The beginning of an address alone, such as the placeholder of an empty field, names no host.
  test('nothing from another host', () => {
    const named = files.filter(path =>
      /['"`(]https?:\/\/(?!www\.w3\.org)[\w$]/.test(readFileSync(path, 'utf8')),
    )
    expect(named.map(path => relative(SOURCES, path))).toEqual([])
  })
})

const found = (pattern: RegExp) =>
  files.flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, what]) => what ?? relative(SOURCES, path)),
  )

test('every handler of keys knows the modifiers: it asks pressedKeysOf', () => {
  expect(found(/\bpressedKeysOf\(event\)/g).length).toBeGreaterThan(5)
  expect(found(/\bevent\.(?:key|altKey)\b|onKey\w+=\{\(\{|\(\{ key\b[^}]*\}: Keyboard/g)).toEqual([])
})

describe('what the browser keeps', () => {
  test('without an owner only habits; everything else has a personal key and goes with the session', () => {
    const keys = found(/\buse(?:StoredState|LocalStorage|SessionStorage)(?:<[^(]*>)?\(\s*(.+?)[,)]/g)
    const named = keys.filter(key => !key.startsWith('personalKey(') && !key.startsWith('{'))
    expect(named.toSorted()).toEqual([
      "'fundus-angaben'",
      "'fundus-ansicht'",
      "'fundus-baum-breite'",
      "'fundus-baum-zu'",
      "'fundus-kachel'",
      "'fundus-leiste-zu'",
      "'fundus-namen'",
      "'fundus-sprache'",
      "'fundus-weiter'",
    ])
    const others = found(/\b(?:local|session)Storage[.,\]](?!.*(?:personalKey|from '))/g)
    // The step between password and code belongs to no person yet, lasts 5 minutes and is removed by signing
    // in. The colour scheme is Mantine's entry, and only read.
    expect([...new Set(others)].toSorted()).toEqual([
      'app/scheme.ts',
      'pages/login/pending-step.ts',
      'state/personal-storage.ts',
    ])
  })
})

describe('the built files', () => {
  const styles = () =>
    firstLoadSize(DIST)
      .files.filter(name => name.endsWith('.css'))
      .map(name => readFileSync(join(DIST, name), 'utf8'))
      .join('')

  beforeAll(() => {
    const script = join(SOURCES, '../scripts/build.ts')
    expect(Bun.spawnSync([process.execPath, script, '--if-needed']).exitCode).toBe(0)
  })

  test('the first view of the gallery needs at most 220 kB of compressed script', () => {
    const { script, files: loaded } = firstLoadSize(DIST)
    expect(loaded.length).toBeGreaterThan(2)
    expect(script).toBeGreaterThan(50 * 1024)
    expect(script).toBeLessThan(FILES_MAX)
  })

  test('the pages for signing in need at most 80 kB, and nothing that only the gallery needs', () => {
    const [entrance, files] = [firstLoadSize(DIST, 'entrance'), firstLoadSize(DIST)]
    expect(entrance.script).toBeGreaterThan(50 * 1024)
    expect(entrance.script).toBeLessThan(ENTRANCE_MAX)
    const shared = entrance.files.filter(name => files.files.includes(name) && name.endsWith('.js'))
    expect(shared.map(name => name.replace(/-.{8}\.js$/, '')).toSorted()).toEqual([
      'assets/common',
      'assets/rolldown-runtime',
    ])
    const page = readFileSync(join(DIST, 'entrance.html'), 'utf8')
    const linked = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
      ([, name]) => name!,
    )
    expect(linked.toSorted()).toEqual(entrance.files.toSorted())
  })

  test('the styles are those of the components in use', () => {
    // Styles of the components in use, and of those that they contain; none of unused components.
    const parts = [
      '--button-bg',
      '--loader-size',
      '--switch-',
      '--input-bd',
      '--modal-size',
      '--notification-',
      '--card-radius',
    ]
    expect(parts.filter(part => !styles().includes(part))).toEqual([])
    expect(['--stepper-', '--timeline-', '--rating-'].filter(part => styles().includes(part))).toEqual([])
  })

  test('the styles of Mantine are linked before those of our own components', () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8')
    const linked = [...page.matchAll(/rel="stylesheet"[^>]*href="([^"]+)"/g)].map(([, name]) => name!)
    const isMantine = (name: string) => readFileSync(join(DIST, name), 'utf8').includes('--button-bg')
    expect(linked.map(isMantine)).toEqual([true, ...linked.slice(1).map(() => false)])
    expect(linked.length).toBeGreaterThan(1)
  })

  test('the schemas come apart from all else, and not before they are needed', () => {
    const hasSchemas = (name: string) => readFileSync(join(DIST, name), 'utf8').includes('invalid_type')
    const scripts = readdirSync(join(DIST, 'assets')).filter(name => name.endsWith('.js'))
    expect(scripts.filter(name => hasSchemas(join('assets', name)))).toHaveLength(MAY_JUDGE.length)
    expect(firstLoadSize(DIST).files.filter(hasSchemas)).toEqual([])
  })
})

import { describe, expect, test } from 'bun:test'
import { createLog } from '../../base/log.ts'
import { DatabaseFullError } from '../../database/database.ts'
import { type Failure, failure } from '../../errors/errors.ts'
import { StorageFullError } from '../../storage/storage.ts'
import { createRequestIds } from '../request-id.ts'
import { createRenderError } from './render-error.ts'

/** Passes for a text, a number, a list and an object of numbers, so that new entries need no line here. */
const anything = new Proxy(['7'], {
  get: (list, key) => (key in list || typeof key === 'symbol' ? Reflect.get(list, key) : 7),
}) as never
const entries = Object.entries(failure).map(
  ([name, make]) => [name, (make as (...given: never[]) => Failure)(anything, anything, anything)] as const,
)

function workshop() {
  const lines: string[] = []
  const log = createLog({ level: 'debug', isHumanReadable: false, write: line => lines.push(line) })
  let ids = 0
  return {
    lines,
    render: createRenderError({
      log,
      ids: createRequestIds({ newId: length => `ref${ids++}`.padEnd(length ?? 16, 'x') }),
    }),
  }
}

describe('the catalogue', () => {
  test('no code stands twice', () =>
    expect(new Set(entries.map(([, { code }]) => code)).size).toBe(entries.length))

  const MONTHS = 'Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember'
  const SECOND_SENTENCE = new RegExp(`[.!?](?!\\d)(?! (?:${MONTHS}))`)
  const GERMAN =
    /\b(der|die|das|den|dem|des|diese[rsn]?|ein|eine|es|ist|im|am|auf|für|von|mit|und|unter|zu|nicht)\b/i

  test.each(entries)('%s: one German sentence', (_, { sentence, code, status }) => {
    expect(sentence).toMatch(/^[A-ZÄÖÜ„].*\.$/)
    // Inside the sentence, dots occur only in dates and numbers.
    expect(sentence.slice(0, -1)).not.toMatch(SECOND_SENTENCE)
    expect(sentence).toMatch(GERMAN)
    expect(sentence).not.toMatch(/\b(the|is|not|error|undefined|null|NaN)\b|\[object|\s{2}/)
    expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(status).toBeWithin(400, 600)
  })

  test('the check itself finds a second sentence, and lets a date pass', () => {
    for (const text of ['Das ist falsch. Das auch', 'Was nun? Nichts', 'Halt! Nein'])
      expect(text).toMatch(SECOND_SENTENCE)
    expect('Es war am 1. Mai 2030 um 12:00 und 1.024 GB groß').not.toMatch(SECOND_SENTENCE)
  })

  test('an expired token says when: date and time', () => {
    const { sentence } = failure.tokenExpired(Date.UTC(2031, 4, 17, 12))
    expect(sentence).toContain('17. Mai 2031')
    expect(sentence).toMatch(/\d\d:\d\d Uhr/)
  })

  test('each sentence about size says which limit it was', () => {
    expect(failure.uploadTooLarge(64 * 1024 * 1024).sentence).toContain('64 MB (MAX_UPLOAD_MB)')
    expect(failure.tokenFileTooLarge(422).sentence).toMatch(/422 Byte.*Token/)
  })
})

describe('rendering', () => {
  test.each(entries)(
    '%s is JSON with `error`, and only those further fields that it names itself',
    async (_, entry) => {
      const { render } = workshop()
      const response = render(entry)
      expect(response.status).toBe(entry.status)
      expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(response.headers.get('X-Fehler-Code')).toBe(entry.code)
      for (const [name, value] of Object.entries(entry.headers))
        expect(response.headers.get(name)).toBe(String(value))
      expect(await response.json()).toEqual({ error: entry.sentence, ...entry.fields })
    },
  )

  test('only our own troubles are logged, and those always', () => {
    for (const [name, entry] of entries) {
      const { render, lines } = workshop()
      render(entry)
      const isOurs = entry.status >= 500 && !entry.isLogged && ![501, 505].includes(entry.status)
      expect([name, lines.length]).toEqual([name, isOurs ? 1 : 0])
    }
  })

  test.each<[string, unknown]>([
    [
      'an error',
      Object.assign(new Error('geheim: /etc/passwd'), { status: 404, headers: { 'X-Leak': 'geheim' } }),
    ],
    ['an error with a cause', new TypeError('aussen', { cause: new Error('geheim') })],
    ['a string', 'geheim'],
    ['an object', { error: 'geheim', status: 418 }],
    ['null', null],
    ['nothing', undefined],
  ])(
    '%s becomes a 500 with a reference that stands in the log, and nothing of its cause',
    async (_, error) => {
      const { render, lines } = workshop()
      const response = render(error)
      const body = await response.text()
      expect(response.status).toBe(500)
      expect(body).not.toContain('geheim')
      expect(JSON.stringify([...response.headers])).not.toContain('geheim')
      expect(Object.keys(JSON.parse(body))).toEqual(['error'])
      const reference = /Nummer ([a-z0-9]{10})\)/.exec(body)?.[1]
      expect(reference).toBeDefined()
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(reference!)
      if (JSON.stringify(error ?? null)?.includes('geheim')) expect(lines[0]).toContain('geheim')
    },
  )

  test('two troubles have two references', async () => {
    const { render } = workshop()
    expect(await render(new Error('a')).text()).not.toBe(await render(new Error('a')).text())
  })

  test.each([
    ['a full store', new StorageFullError({ cause: new Error('geheim') }), failure.storageFull(null)],
    ['a full database', new DatabaseFullError({ cause: new Error('geheim') }), failure.databaseFull(null)],
  ] as const)('%s is a 507 that is logged with its cause', async (_, error, { sentence, code }) => {
    const { render, lines } = workshop()
    const response = render(error)
    expect(response.status).toBe(507)
    expect(await response.json()).toEqual({ error: sentence })
    expect(lines[0]).toContain(code)
  })
})

describe('errors of the system have sentences of their own', () => {
  test.each([
    ['ENOSPC', 507, 'storage-full'],
    ['EDQUOT', 507, 'storage-full'],
    ['EROFS', 503, 'disk-read-only'],
    ['EIO', 503, 'disk-broken'],
    ['EMFILE', 503, 'too-many-open-files'],
    ['ENFILE', 503, 'too-many-open-files'],
    ['EOTHER', 500, 'unexpected'],
  ])('%s', (code, status, told) => {
    const answer = workshop().render(Object.assign(new Error('of the system'), { code }))
    expect([answer.status, answer.headers.get('X-Fehler-Code')]).toEqual([status, told])
  })
})

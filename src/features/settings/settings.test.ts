import { describe, expect, test } from 'bun:test'
import { createSettings, SettingError } from './settings.ts'

/** A database that counts how often it is read. */
function fakeSaved(saved: Record<string, unknown> = {}) {
  const state = { version: 1, reads: 0, saved }
  const databaseStateAt = (version: number) => ({
    version,
    get settings() {
      state.reads++
      return new Map(Object.entries(state.saved).map(([name, value]) => [name, JSON.stringify(value)]))
    },
  })
  let current = databaseStateAt(state.version)
  return {
    state,
    knownState() {
      if (current.version !== state.version) current = databaseStateAt(state.version)
      return current
    },
  }
}

describe('what counts', () => {
  const environment = { DIENST: 'Umgebung', MAX_UPLOAD_MB: '8' }

  test('saved, else the environment, else the default', () => {
    const settings = createSettings({ environment, port: 81, database: fakeSaved({ DIENST: 'Gespeichert' }) })
    expect(settings.current()).toMatchObject({
      DIENST: 'Gespeichert',
      MAX_UPLOAD_MB: 8,
      PAPIERKORB_MAX_MB: 20_480,
      PUBLIC_URL: 'http://localhost:81',
    })
    const { sources } = settings.resolution()
    expect([sources.DIENST, sources.MAX_UPLOAD_MB, sources.PUBLIC_URL]).toEqual([
      'gespeichert',
      'umgebung',
      'vorgabe',
    ])
  })

  test('an empty variable is none', () => {
    const { values, sources } = createSettings({ environment: { DIENST: '' }, port: 1 }).resolution()
    expect([values.DIENST, sources.DIENST]).toEqual(['Fundus', 'vorgabe'])
  })

  test('a wrong variable ends the start with a sentence', () => {
    const start = () => createSettings({ environment: { SICHERUNG_BEHALTEN: '0' }, port: 1 })
    expect(start).toThrow(SettingError)
    expect(start).toThrow('Die Einstellung SICHERUNG_BEHALTEN muss mindestens 1 sein.')
  })

  test('a saved value that cannot be used, and an unknown name, count as not saved', () => {
    const saved = fakeSaved({ DIENST: 7, MAX_UPLOAD_MB: -1, FROM_THE_FUTURE: true })
    const { values, sources } = createSettings({ environment, port: 1, database: saved }).resolution()
    expect([values.DIENST, values.MAX_UPLOAD_MB, sources.DIENST]).toEqual(['Umgebung', 8, 'umgebung'])
    expect(values).not.toHaveProperty('FROM_THE_FUTURE')
  })
})

test('what cannot be used is told in a sentence when it is read, not at each request, and never with its value', () => {
  const told: string[] = []
  const current = {
    version: 1,
    settings: new Map([
      ['WEBHOOK_URL', '"geheim"'],
      ['DIENST', '{'],
      ['MAX_UPLOAD_MB', '8'],
    ]),
  }
  const settings = createSettings({
    environment: { DIENST: 'Umgebung' },
    port: 1,
    database: { knownState: () => current },
    onUnusable: (_, sentence) => told.push(sentence),
  })
  for (let at = 0; at < 3; at++) settings.current()
  settings.resolve(current.settings)
  expect(told).toEqual([
    'Die gespeicherte Einstellung WEBHOOK_URL muss eine Adresse sein, die mit http:// oder https:// beginnt; es gilt die Vorgabe.',
    'Die gespeicherte Einstellung DIENST ist unlesbar gespeichert; es gilt der Wert aus der Umgebung.',
  ])
  expect(settings.current()).toMatchObject({ WEBHOOK_URL: '', DIENST: 'Umgebung', MAX_UPLOAD_MB: 8 })
})

describe('on the way of every request', () => {
  test('the saved ones are read anew only after something was committed', () => {
    const saved = fakeSaved()
    const settings = createSettings({ environment: {}, port: 1, database: saved })
    for (let at = 0; at < 1000; at++) settings.current()
    expect(saved.state.reads).toBe(1)
    saved.state.version++
    saved.state.saved = { DIENST: 'Neu' }
    expect(settings.current().DIENST).toBe('Neu')
    saved.state.saved = {}
    expect(settings.current().DIENST).toBe('Neu')
    saved.state.version++
    expect(settings.current().DIENST).toBe('Fundus')
    expect(saved.state.reads).toBe(3)
  })

  test('a commit that is about something else leaves the very same values', () => {
    const saved = fakeSaved({ DIENST: 'A' })
    const settings = createSettings({ environment: {}, port: 1, database: saved })
    const before = settings.current()
    saved.state.version++
    expect(settings.current()).toBe(before)
  })
})

test.each([
  ['linux', '/mnt/backup', true],
  ['win32', '/mnt/backup', false],
  ['win32', 'D:\\backup', true],
  ['linux', 'D:\\backup', true],
  ['win32', '\\\\server\\share', true],
  ['win32', '', true],
])('on %s the target %j: %p', (platform, target, fine) => {
  const { check } = createSettings({ environment: {}, port: 1, platform })
  for (const name of ['SICHERUNG_ZIEL', 'SICHERUNG_ZWEITZIEL'] as const)
    expect('value' in check(name, target)).toBe(fine)
})

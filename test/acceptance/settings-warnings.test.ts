/** Settings that are valid but cannot work: answer, command line and log contain a warning. */
import { describe, expect, test } from 'bun:test'
import { dash } from '../support/dashboard.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService()

interface Setting {
  wert: unknown
  quelle: string
  warnung?: { code: string; satz: string }
}
type Settings = Record<string, Setting>

async function settings(json?: Record<string, unknown>): Promise<Settings> {
  const response = await dash(on.service, 'einstellungen', {
    session: on.session,
    ...(json && { method: 'PUT', json }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Settings
}
const warningsIn = (all: Settings) =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, { warnung }]) => (warnung ? [[name, warnung.code]] : [])),
  )
const NOTHING = {
  PUBLIC_URL: null,
  FILES_HOST: null,
  SICHERUNG_ZIEL: null,
  SICHERUNG_ZWEITZIEL: null,
}
const command = (...words: string[]) => on.service.command('settings', ...words)

describe.skipIf(process.platform === 'win32')('a backup target that only Windows has', () => {
  test.each([
    ['SICHERUNG_ZWEITZIEL', 'D:\\Sicherung', 'second-target-foreign'],
    ['SICHERUNG_ZWEITZIEL', '\\\\server\\share\\fundus', 'second-target-foreign'],
    ['SICHERUNG_ZIEL', 'D:/Sicherung', 'target-foreign'],
  ])('%s %s is saved with a warning', async (name, wert, code) => {
    const saved = await settings({ ...NOTHING, [name]: wert })
    expect(saved[name]).toEqual({ wert, quelle: 'gespeichert', warnung: { code, satz: expect.any(String) } })
    expect(saved[name]!.warnung!.satz).toMatch(/Windows-Pfad.*\.$/)
    expect(warningsIn(saved)).toEqual({ [name]: code })
    expect(await settings()).toEqual(saved)
  })

  test.each(['/mnt/zweit', '/mnt/D:\\zweit', null])('%j has none', async wert => {
    expect(warningsIn(await settings({ ...NOTHING, SICHERUNG_ZWEITZIEL: wert }))).toEqual({})
  })
})

describe('FILES_HOST that PUBLIC_URL does not name', () => {
  test.each([
    ['https://media.example.org', 'files.example.org', true],
    ['https://example.org', 'files.example.org', true],
    [null, 'files.example.org', true],
    ['https://files.example.org', 'files.example.org', false],
    ['https://FILES.example.org:8443/media', 'Files.Example.ORG', false],
    ['https://files.example.org.', 'files.example.org', false],
    ['http://[2001:db8::1]:8080', '[2001:DB8::1]', false],
    ['https://media.example.org', '', false],
    [null, 'localhost', false],
  ])('%s with %s: warned %s', async (publicUrl, host, expected) => {
    const saved = await settings({ ...NOTHING, PUBLIC_URL: publicUrl, FILES_HOST: host })
    expect(warningsIn(saved)).toEqual(expected ? { FILES_HOST: 'files-host-elsewhere' } : {})
    expect(await settings()).toEqual(saved)
  })

  test('a pair that is saved one after the other is warned of until it fits', async () => {
    await settings(NOTHING)
    expect(warningsIn(await settings({ FILES_HOST: 'files.example.org' }))).toHaveProperty('FILES_HOST')
    expect(warningsIn(await settings({ PUBLIC_URL: 'https://files.example.org' }))).toEqual({})
    expect(warningsIn(await settings({ PUBLIC_URL: 'https://other.example.org' }))).toHaveProperty(
      'FILES_HOST',
    )
  })
})

describe('fundus settings', () => {
  test('set, get and list say it; the value stands alone on standard output', async () => {
    await settings(NOTHING)
    const set = await command('set', 'FILES_HOST', 'files.example.org')
    expect(set).toMatchObject({ code: 0, stderr: '' })
    expect(set.stdout).toMatch(/gespeichert\.\nAchtung: .*PUBLIC_URL.*\.\n$/)
    const get = await command('get', 'FILES_HOST')
    expect(get).toMatchObject({ code: 0, stdout: 'files.example.org\n' })
    expect(get.stderr).toMatch(/^Achtung: .*PUBLIC_URL.*\.\n$/)
    const { stdout } = await command('list')
    expect(stdout).toMatch(/^FILES_HOST +gespeichert +files\.example\.org\n +Achtung: .*PUBLIC_URL.*\.$/m)
    expect(stdout.match(/Achtung/g)).toHaveLength(1)
    const listed = JSON.parse((await command('list', '--json')).stdout) as {
      name: string
      warning?: object
    }[]
    expect(listed.filter(({ warning }) => warning)).toEqual([
      expect.objectContaining({
        name: 'FILES_HOST',
        warning: { code: 'files-host-elsewhere', sentence: expect.any(String) },
      }),
    ])
    // The other setting of the pair also gets the warning when it is changed.
    expect((await command('set', 'PUBLIC_URL', 'https://media.example.org')).stdout).toMatch(
      /Achtung: .*FILES_HOST/,
    )
    expect((await command('set', 'PUBLIC_URL', 'https://files.example.org')).stdout).not.toContain('Achtung')
    expect((await command('get', 'FILES_HOST')).stderr).toBe('')
  })
})

test('the start logs every one of them as a warning, and none where there is none', async () => {
  await settings({ ...NOTHING, FILES_HOST: 'files.example.org', SICHERUNG_ZWEITZIEL: 'D:\\Sicherung' })
  const logged = async () => {
    const before = on.service.logs().length
    await on.service.restart()
    const lines = on.service.logs().slice(before)
    return lines
      .filter(({ code }) => code !== undefined)
      .map(({ level, setting, code }) => [level, setting, code])
  }
  const expected = [['warn', 'FILES_HOST', 'files-host-elsewhere']]
  if (process.platform !== 'win32') expected.push(['warn', 'SICHERUNG_ZWEITZIEL', 'second-target-foreign'])
  expect(await logged()).toEqual(on.service.instances.flatMap(() => expected))
  await settings(NOTHING)
  expect(await logged()).toEqual([])
})

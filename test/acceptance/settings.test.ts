/** `/api/dash/einstellungen`: reading and saving, where a value comes from, and what is refused. */
import { afterEach, describe, expect, test } from 'bun:test'
import { expectError, read, store, upload } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { isShared, notUnderWine } from '../support/modes.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService({
  env: { MAX_UPLOAD_MB: '0.5', WEBHOOK_ANLAESSE: 'upload,platte', DIENST: 'Aus der Umgebung' },
})

interface Setting {
  wert?: unknown
  quelle: string
  geheim?: boolean
  gesetzt?: boolean
}
const NAMES = [
  'PUBLIC_URL',
  'FILES_HOST',
  'MAX_UPLOAD_MB',
  'EXIF_ENTFERNEN',
  'UEBERSCHRIEBENE',
  'ZWEITER_FAKTOR',
  'BILDGROESSEN',
  'BILDGROESSEN_MAX_MB',
  'PAPIERKORB_MAX_MB',
  'WEBHOOK_URL',
  'WEBHOOK_ANLAESSE',
  'SICHERUNG_ZIEL',
  'SICHERUNG_ZWEITZIEL',
  'SICHERUNG_UHRZEIT',
  'SICHERUNG_BEHALTEN',
  'SICHERUNG_WOCHEN',
  'SICHERUNG_MONATE',
  'SICHERUNG_PROBE',
  'SICHERUNG_S3_ENDPOINT',
  'SICHERUNG_S3_BUCKET',
  'SICHERUNG_S3_REGION',
  'SICHERUNG_S3_ACCESS_KEY_ID',
  'SICHERUNG_S3_SECRET_ACCESS_KEY',
  'SICHERUNG_S3_PRAEFIX',
  'SICHERUNG_PASSWORT',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_REGELN',
  'DISCORD_CLIENT_ID',
  'DISCORD_CLIENT_SECRET',
  'DISCORD_SERVER',
  'DISCORD_REGELN',
  'DIENST',
]

const SMALL = { name: 'klein', breite: 320, hoehe: 320, art: 'einpassen', format: 'auto' }

async function all(): Promise<Record<string, Setting>> {
  const response = await dash(on.service, 'einstellungen', { session: on.session })
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, Setting>
}
const put = (json: unknown) => dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session })
async function save(values: Record<string, unknown>): Promise<Record<string, Setting>> {
  const response = await put(values)
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as Record<string, Setting>
}
afterEach(() => save(Object.fromEntries(NAMES.map(name => [name, null]))))

describe('reading', () => {
  test('every setting of the contract, with its value and where that comes from', async () => {
    const settings = await all()
    expect(Object.keys(settings)).toEqual(NAMES)
    expect(settings).toMatchObject({
      FILES_HOST: { wert: '', quelle: 'vorgabe' },
      MAX_UPLOAD_MB: { wert: 0.5, quelle: 'umgebung' },
      BILDGROESSEN: { wert: expect.arrayContaining([SMALL]), quelle: 'vorgabe' },
      BILDGROESSEN_MAX_MB: { wert: 1024, quelle: 'vorgabe' },
      PAPIERKORB_MAX_MB: { wert: 20480, quelle: 'vorgabe' },
      WEBHOOK_ANLAESSE: { wert: ['platte', 'upload'], quelle: 'umgebung' },
      SICHERUNG_ZIEL: isShared()
        ? { wert: expect.stringContaining('sicherung'), quelle: 'umgebung' }
        : { wert: '', quelle: 'vorgabe' },
      SICHERUNG_ZWEITZIEL: { wert: '', quelle: 'vorgabe' },
      SICHERUNG_UHRZEIT: { wert: '03:30', quelle: 'vorgabe' },
      SICHERUNG_BEHALTEN: { wert: 14, quelle: 'vorgabe' },
      SICHERUNG_WOCHEN: { wert: 0, quelle: 'vorgabe' },
      SICHERUNG_MONATE: { wert: 0, quelle: 'vorgabe' },
      SICHERUNG_PROBE: { wert: 'monatlich', quelle: 'vorgabe' },
      SICHERUNG_S3_ENDPOINT: { wert: '', quelle: 'vorgabe' },
      SICHERUNG_S3_REGION: { wert: 'us-east-1', quelle: 'vorgabe' },
      SICHERUNG_PASSWORT: { quelle: 'vorgabe', geheim: true, gesetzt: false },
      EXIF_ENTFERNEN: { wert: 'nein', quelle: 'vorgabe' },
      UEBERSCHRIEBENE: { wert: 'dashboard', quelle: 'vorgabe' },
      DIENST: { wert: 'Aus der Umgebung', quelle: 'umgebung' },
    })
  })

  test('a secret only as set or not, never its value', async () => {
    expect((await all()).WEBHOOK_URL).toEqual({ quelle: 'vorgabe', geheim: true, gesetzt: false })
    const saved = await save({ WEBHOOK_URL: 'https://discord.com/api/webhooks/1/very-secret' })
    expect(saved.WEBHOOK_URL).toEqual({ quelle: 'gespeichert', geheim: true, gesetzt: true })
    expect(JSON.stringify(await all())).not.toContain('very-secret')
  })
})

describe('saving', () => {
  test('a saved value wins over environment and default; what is left out stays', async () => {
    const saved = await save({ DIENST: 'Neu', SICHERUNG_BEHALTEN: 3 })
    expect(saved.DIENST).toEqual({ wert: 'Neu', quelle: 'gespeichert' })
    expect(saved.SICHERUNG_BEHALTEN).toEqual({ wert: 3, quelle: 'gespeichert' })
    expect(saved.MAX_UPLOAD_MB?.quelle).toBe('umgebung')
    expect(await save({ PAPIERKORB_MAX_MB: 1.5 })).toMatchObject({
      DIENST: { wert: 'Neu' },
      PAPIERKORB_MAX_MB: { wert: 1.5 },
    })
  })

  test.each(['', null, '  '])('%j goes back to environment or default', async empty => {
    await save({ DIENST: 'Neu', PAPIERKORB_MAX_MB: 7, WEBHOOK_ANLAESSE: [] })
    const back = await save({ DIENST: empty, PAPIERKORB_MAX_MB: empty, WEBHOOK_ANLAESSE: empty })
    expect(back).toMatchObject({
      DIENST: { wert: 'Aus der Umgebung', quelle: 'umgebung' },
      PAPIERKORB_MAX_MB: { wert: 20480, quelle: 'vorgabe' },
      WEBHOOK_ANLAESSE: { wert: ['platte', 'upload'], quelle: 'umgebung' },
    })
  })

  test.each([
    [2, 2],
    ['2', 2],
    ['1.5', 1.5],
    ['1,5', 1.5],
    [0.25, 0.25],
  ])('a size may be given as %j', async (given, expected) => {
    expect((await save({ PAPIERKORB_MAX_MB: given })).PAPIERKORB_MAX_MB?.wert).toBe(expected)
  })

  test('occasions outside the four are discarded, an empty list switches all off', async () => {
    const wert = async (given: string[]) => (await save({ WEBHOOK_ANLAESSE: given })).WEBHOOK_ANLAESSE?.wert
    expect(await wert(['upload', 'mond', 'sicherung', 'upload'])).toEqual(['sicherung', 'upload'])
    expect(await wert(['sicherung', 'verwaiste', 'platte', 'upload'])).toHaveLength(4)
    expect(await wert([])).toEqual([])
  })

  notUnderWine.root.each([['D:\\Sicherung'], ['\\\\server\\share\\fundus'], ['/mnt/zweit']])(
    'second target: %s is taken',
    async target => {
      expect((await save({ SICHERUNG_ZWEITZIEL: target })).SICHERUNG_ZWEITZIEL?.wert).toBe(target)
    },
  )
})

describe('refused with 400 and a sentence, and nothing is saved', () => {
  test.each<[string, unknown]>([
    ['PUBLIC_URL', 'media.example.org'],
    ['PUBLIC_URL', 7],
    ['FILES_HOST', 'x.org:80'],
    ['MAX_UPLOAD_MB', 'viel'],
    ['MAX_UPLOAD_MB', 0],
    ['MAX_UPLOAD_MB', -1],
    ['BILDGROESSEN', [{ name: 'a' }]],
    ['BILDGROESSEN_MAX_MB', 0],
    ['PAPIERKORB_MAX_MB', '1.2.3'],
    ['WEBHOOK_URL', 'nirgends'],
    ['WEBHOOK_ANLAESSE', 5],
    ['SICHERUNG_ZIEL', 'sicherung'],
    ['SICHERUNG_ZWEITZIEL', 'backup'],
    ['SICHERUNG_ZWEITZIEL', '..\\backup'],
    ['SICHERUNG_ZWEITZIEL', './backup'],
    ['SICHERUNG_UHRZEIT', '25:00'],
    ['SICHERUNG_BEHALTEN', 0],
    ['SICHERUNG_BEHALTEN', 1.5],
    ['SICHERUNG_WOCHEN', -1],
    ['SICHERUNG_MONATE', 1001],
    ['SICHERUNG_PROBE', 'nie'],
    ['SICHERUNG_S3_ENDPOINT', 's3.example.org'],
    ['SICHERUNG_S3_BUCKET', 'a/b'],
    ['SICHERUNG_S3_PRAEFIX', '/a'],
    ['SICHERUNG_S3_PRAEFIX', 'a//b'],
    ['SICHERUNG_S3_PRAEFIX', 'a/../b'],
    ['SICHERUNG_PASSWORT', 'kurz'],
    ['DIENST', 'zwei\nZeilen'],
  ])('%s %j', async (name, value) => {
    const before = await all()
    const answer = await put({ PAPIERKORB_MAX_MB: 5, DIENST: 'Nie', [name]: value })
    await expectError(answer, 400, new RegExp(name))
    // A client need not parse the name out of the sentence.
    expect(answer.headers.get('x-fehler-feld')).toBe(name)
    expect(await all()).toEqual(before)
  })

  test('a type that no setting has', async () => {
    for (const value of [true, {}, [1]]) await expectError(await put({ DIENST: value }), 400, /DIENST/)
  })

  test('a name that does not exist', async () => {
    await expectError(await put({ DIENST: 'Nie', MAX_UPLAOD_MB: 1 }), 400, /MAX_UPLAOD_MB/)
    expect((await all()).DIENST?.wert).toBe('Aus der Umgebung')
  })

  test('no object, no JSON', async () => {
    await expectError(await put([]), 400)
    await expectError(await put('x'), 400)
    await expectError(await put(null), 400)
  })
})

describe('takes effect at once', () => {
  test('PUBLIC_URL: in every address returned afterwards', async () => {
    expect((await store(on.service, on.token, 'now/a.txt', 'a')).url).toStartWith('http://localhost')
    await save({ PUBLIC_URL: 'https://media.example.org/' })
    expect((await store(on.service, on.token, 'now/b.txt', 'b')).url).toBe(
      'https://media.example.org/f/now/b.txt',
    )
    await save({ PUBLIC_URL: '' })
    expect((await store(on.service, on.token, 'now/c.txt', 'c')).url).toStartWith('http://localhost')
  })

  test('MAX_UPLOAD_MB: for the very next upload', async () => {
    const body = new Uint8Array(700_000)
    expect((await upload(on.service, on.token, body, { 'X-Path': 'now/d' })).status).toBe(413)
    await save({ MAX_UPLOAD_MB: '1' })
    expect((await upload(on.service, on.token, body, { 'X-Path': 'now/d' })).status).toBe(200)
    await save({ MAX_UPLOAD_MB: null })
    expect((await upload(on.service, on.token, body, { 'X-Path': 'now/d' })).status).toBe(413)
  })

  test('FILES_HOST: files answer on that host only', async () => {
    await store(on.service, on.token, 'now/e.txt', 'e')
    await save({ FILES_HOST: 'files.example.org' })
    expect((await read(on.service, 'now/e.txt')).status).toBe(404)
    expect((await read(on.service, 'now/e.txt', { Host: 'files.example.org' })).status).toBe(200)
    await save({ FILES_HOST: '' })
    expect((await read(on.service, 'now/e.txt')).status).toBe(200)
  })
})

/** Unknown fields in the query of a dashboard route are refused, as unknown fields of a JSON body are. */
import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { sharedLibrary } from '../support/library.ts'

const on = sharedLibrary()

const LISTS = [
  'media',
  'papierkorb',
  'verlauf',
  'verwaltung',
  'statistik',
  'verlauf/export',
  'einstellungen/export',
  'export?format=json',
  'herunterladen?ordner=',
]
const withField = (route: string, field: string) => `${route}${route.includes('?') ? '&' : '?'}${field}`

describe.each(LISTS)('GET %s', route => {
  test('400 that names the unknown field', async () => {
    for (const field of ['ordnr=a', 'page=2', 'Seite=1']) {
      const name = field.split('=')[0]
      await expectError(await on.get(withField(route, field)), 400, new RegExp(`Unbekanntes: „${name}“`))
    }
  })

  test('the twin: without it, no such refusal', async () => {
    expect((await on.get(route)).status).not.toBe(400)
  })
})

test.each([
  ['DELETE', 'freigaben?schluessel=x&weg=1'],
  ['POST', 'sicherung?warten=1&sofort=1'],
])('%s %s', async (method, route) => {
  await expectError(await dash(on.service, route, { method, session: on.session }), 400, /Unbekanntes/)
})

test('a stranger still gets 401 before anything else', async () => {
  await expectError(await dash(on.service, 'media?page=2', {}), 401)
})

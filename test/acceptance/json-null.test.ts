/**
 * `null` for an optional JSON field is treated as absent, on the dashboard's routes too; for a token's limit
 * it removes the limit.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'

const on = sharedServiceWithAdmin()
const post = (route: string, json: unknown) => dash(on.service, route, { json, session: on.admin.session })

beforeAll(async () => {
  await store(on.service, on.token, 'a/b.txt', 'x')
})

describe('as if absent', () => {
  test.each<[route: string, json: Record<string, unknown>, absent: string[]]>([
    ['media/ersetzen', { suche: 'b', ersatz: 'c' }, ['ordner', 'pfade', 'regex', 'ausfuehren']],
    ['papierkorb/leeren', {}, ['nummern']],
    ['maintenance/verwaiste', {}, ['aufraeumen']],
  ])('%s', async (route, json, absent) => {
    const nulls = Object.fromEntries(absent.map(field => [field, null]))
    const [without, withNulls] = [await post(route, json), await post(route, { ...json, ...nulls })]
    expect([withNulls.status, await withNulls.json()]).toEqual([200, await without.json()])
  })

  test('upload-url: what is refused is the address, not the fields that are null', async () => {
    const response = await post('upload-url', { url: 'http://127.0.0.1/', ordner: null, name: null })
    const sentence = await expectError(response, 400)
    expect(sentence).not.toMatch(/„ordner“|„name“/)
  })
})

describe('the twins', () => {
  test('for a field that must be there it is named', async () => {
    await expectError(await post('media/ersetzen', { suche: null, ersatz: 'c' }), 400, /„suche“/)
    await expectError(await post('media/umbenennen', { pfad: 'a/b.txt', name: null }), 400, /„name“/)
  })

  test('in a list it is named by its place', async () => {
    await expectError(await post('papierkorb/leeren', { nummern: [1, null] }), 400, /„nummern\.1“/)
  })

  test('PATCH of a token: what is left out stays, null clears', async () => {
    const { id } = await on.admin.create({ max_kante: 100, kontingent: 5000 })
    expect(await on.admin.patch(id, { max_kante: null })).toMatchObject({ max_kante: null, kontingent: 5000 })
  })
})

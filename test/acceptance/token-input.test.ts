/**
 * Invalid input to `/api/dash/tokens`: 400 with a sentence that names the field, and no token is created or
 * changed.
 */
import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'

const on = sharedServiceWithAdmin()

type Case = [field: string, value: unknown]
const WRONG: Case[] = [
  ['name', ''],
  ['name', '   '],
  ['name', null],
  ['name', 7],
  // Characters that would break a line of the log or of a message, or control a terminal.
  ['name', 'a\nb'],
  ['name', 'a\u0000b'],
  ['name', 'a\u001b[2Jb'],
  ['name', 'a\u0085b'],
  ['name', 'x'.repeat(10_000)],
  ['praefix', '../x'],
  ['praefix', '/'],
  ['praefix', 'a\\b'],
  // A prefix so deep that no file name fits below it.
  ['praefix', '1/2/3/4/5/6/7/8'],
  ['praefix', 'x'.repeat(201)],
  ['praefix', 7],
  ['darf_loeschen', 'ja'],
  ['darf_loeschen', 1],
  ['max_datei', -1],
  ['max_datei', 1.5],
  ['max_datei', '1000'],
  ['max_datei', 1e300],
  ['kontingent', -1],
  ['kontingent', 0.1],
  ['kontingent', '5 GB'],
  ['arten', []],
  ['arten', ['bilder', 'bild']],
  ['arten', [null]],
  ['arten', 'bilder'],
  ['arten', { bilder: true }],
  ['gueltig_bis', 'morgen'],
  ['gueltig_bis', -1],
  ['gueltig_bis', 1.5],
  ['gueltig_bis', '2027-01-31'],
  ['gueltig_bis', 8.64e15 + 1],
  ['max_kante', -640],
  ['max_kante', 1.5],
  ['max_kante', '640'],
]

const shorten = (value: unknown) => JSON.stringify(value).slice(0, 30)

describe.each(WRONG.map(([field, value]) => [field, shorten(value), value] as const))('%s: %s', (...row) => {
  const [field, , value] = row
  const about = new RegExp(`„${field}`)

  test('making one: 400, none is made', async () => {
    const before = (await on.admin.list()).length
    await expectError(await on.admin.call('', { json: { name: 'x', [field]: value } }), 400, about)
    expect(await on.admin.list()).toHaveLength(before)
  })

  test('changing one: 400, nothing changes, not even the rest of it', async () => {
    const { id } = await on.admin.create({ max_kante: 100 })
    const before = await on.admin.find(id)
    const json = { darf_loeschen: true, max_kante: 200, [field]: value }
    await expectError(await on.admin.call(`/${id}`, { method: 'PATCH', json }), 400, about)
    expect(await on.admin.find(id)).toEqual(before)
  })
})

describe('the twin: what is just right', () => {
  test.each<Case>([
    ['name', 'x'],
    ['name', 'Ä 😀 „x“'],
    ['praefix', 'a'],
    ['praefix', 'a..b/C-d_e'],
    ['max_datei', 1],
    ['kontingent', 1],
    ['kontingent', 2 ** 50],
    ['arten', ['sonstige']],
    ['arten', ['bilder', 'video', 'audio', 'dokumente', 'sonstige']],
    ['gueltig_bis', 1],
    ['max_kante', 1],
  ])('%s: %j', async (field, value) => {
    expect((await on.admin.call('', { json: { name: 'x', [field]: value } })).status).toBe(200)
    const { id } = await on.admin.create()
    expect((await on.admin.call(`/${id}`, { method: 'PATCH', json: { [field]: value } })).status).toBe(200)
  })
})

describe('the body', () => {
  const send = (body: string, method = 'POST', route = 'tokens', type = 'application/json') =>
    fetch(`${on.service.url}/api/dash/${route}`, {
      method,
      body,
      headers: { Cookie: `fundus_sitzung=${on.admin.session}`, 'Content-Type': type },
    })

  test('no name at all: 400, and the sentence says what is missing', async () => {
    await expectError(await on.admin.call('', { json: {} }), 400, /„name“/)
  })

  test.each(['', '{', 'name=x', '[]', 'null', '"x"', '7'])('%j: 400', async body => {
    const before = (await on.admin.list()).length
    await expectError(await send(body), 400)
    expect(await on.admin.list()).toHaveLength(before)
    const { id } = await on.admin.create()
    await expectError(await send(body, 'PATCH', `tokens/${id}`), 400)
  })

  test('endless: refused, not read', async () => {
    const response = await send(`{"name":"${'x'.repeat(2_000_000)}"}`)
    await expectError(response, 413)
  })

  test('a stranger hears 401 before anything is said of his input', async () => {
    await expectError(await dash(on.service, 'tokens', { json: { arten: [] } }), 401)
  })
})

test('a misspelt limit is refused, or the token would have none', async () => {
  const before = (await on.admin.list()).length
  await expectError(await on.admin.call('', { json: { name: 'x', kontingnet: 5 } }), 400, /kontingnet/)
  expect((await on.admin.list()).length).toBe(before)
})

/** `GET /api/dateien`: what a token with the read right may list, and nothing else. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { answered, expectError, store } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'

const on = sharedServiceWithAdmin()

interface Listed {
  dateien: { path: string; url: string; size: number; sha256: string; mime: string; updated_at: number }[]
  gesamt: number
}

const ask = (token: string, query = '') =>
  fetch(`${on.service.url}/api/dateien${query}`, { headers: { Authorization: `Bearer ${token}` } })
const paths = async (token: string, query: string) => {
  const { dateien, gesamt } = await answered<Listed>(await ask(token, query))
  return [gesamt, ...dateien.map(({ path }) => path)]
}

let everywhere = ''
let below = ''
beforeAll(async () => {
  for (const [path, content] of Object.entries({
    'top.txt': 'a',
    'phone/10.txt': 'bb',
    'phone/9.txt': 'ccc',
    'phone/deep/muller.txt': 'dddd',
    'phones/other.txt': 'e',
  }))
    await store(on.service, on.token, path, content)
  everywhere = (await on.admin.create({ darf_lesen: true })).token
  below = (await on.admin.create({ darf_lesen: true, praefix: 'phone' })).token
})

test('a file is what the contract names, and no more', async () => {
  const { dateien } = await answered<Listed>(await ask(everywhere))
  expect(dateien).toEqual([
    {
      path: 'top.txt',
      url: expect.stringMatching(/^http.*\/f\/top\.txt$/),
      size: 1,
      sha256: sha256('a'),
      mime: 'text/plain',
      updated_at: expect.any(Number),
    },
  ])
})

describe('what is listed', () => {
  const PHONE = ['phone/9.txt', 'phone/10.txt']
  test.each<[query: string, found: (number | string)[]]>([
    ['?ordner=phone', [2, ...PHONE]],
    ['?ordner=phone/', [2, ...PHONE]],
    ['?ordner=phone&unterordner=1', [3, 'phone/9.txt', 'phone/10.txt', 'phone/deep/muller.txt']],
    ['?ordner=phone&sortierung=size&richtung=ab', [2, 'phone/9.txt', 'phone/10.txt']],
    ['?ordner=phone&sortierung=size', [2, 'phone/10.txt', 'phone/9.txt']],
    ['?ordner=phone&seite=2&anzahl=1', [2, 'phone/10.txt']],
    ['?suche=txt%20deep', [1, 'phone/deep/muller.txt']],
    ['?suche=other', [1, 'phones/other.txt']],
    ['?ordner=', [1, 'top.txt']],
  ])('%s', async (query, found) => {
    expect(await paths(everywhere, query)).toEqual(found)
  })

  test.each<[query: string, found: (number | string)[]]>([
    ['', [2, ...PHONE]],
    ['?unterordner=1', [3, ...PHONE, 'phone/deep/muller.txt']],
    ['?ordner=phone/deep', [1, 'phone/deep/muller.txt']],
    ['?suche=txt&anzahl=200', [3, ...PHONE, 'phone/deep/muller.txt']],
    ['?suche=other', [0]],
  ])('below the prefix: %p', async (query, found) => {
    expect(await paths(below, query)).toEqual(found)
  })

  test('a token whose folder is empty yet gets an empty list', async () => {
    const { token } = await on.admin.create({ darf_lesen: true, praefix: 'nothing-yet' })
    expect(await paths(token, '')).toEqual([0])
  })
})

describe('refused', () => {
  test.each<[query: string, status: number, about: RegExp]>([
    ['?ordner=phones', 403, /phone\//],
    ['?ordner=', 403, /phone\//],
    ['?ordner=top', 403, /phone\//],
    ['?ordner=phone/none', 404, /Ordner/],
    ['?anzahl=0', 400, /„anzahl“.*200/],
    ['?anzahl=201', 400, /„anzahl“.*200/],
    ['?anzahl=x', 400, /„anzahl“/],
    ['?seite=0', 400, /„seite“/],
    ['?sortierung=farbe', 400, /„sortierung“/],
    ['?token=x', 400, /token/],
  ])('%s: %i', async (query, status, about) => {
    await expectError(await ask(below, query), status, about)
  })

  test('without the right, which a change of the token gives and takes', async () => {
    const { id, token } = await on.admin.create()
    await expectError(await ask(token), 403, /auflisten/)
    await on.admin.patch(id, { darf_lesen: true })
    expect((await ask(token)).status).toBe(200)
    await on.admin.patch(id, { darf_lesen: null })
    await expectError(await ask(token), 403)
  })
})

test('the command line makes such a token, and pages of every origin may read the answer', async () => {
  const token = await on.tokenWith('--may-read')
  const response = await ask(token)
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  expect((await on.service.command('token', 'list')).stdout).toMatch(/darf Dateien auflisten|may list files/)
})

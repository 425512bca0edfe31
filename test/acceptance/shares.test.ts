/** Share links: created, listed, revoked; what a stranger can read with one, and what not. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, read, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { head, sendRaw } from '../support/raw.ts'
import { signedInService } from '../support/shared-service.ts'
import { readShare, type Share, share } from '../support/shares.ts'
import { eventually } from '../support/wait.ts'

const on = signedInService()
beforeAll(async () => {
  await store(on.service, on.token, 'album/b.txt', '12345')
  await store(on.service, on.token, 'album/Sub/a.png', await png())
  await store(on.service, on.token, 'album/tone.mp3', media('tone.mp3'))
  await store(on.service, on.token, 'album2/other.txt', 'x')
  await store(on.service, on.token, 'album.txt', 'x')
  await eventually('the length of the tone', async () => {
    const { dateien } = await readShare(on.service, await share(on.service, on.session, 'album'))
    return dateien.some(file => file.laenge !== null)
  })
})
const make = (ordner = 'album') => share(on.service, on.session, ordner)
const list = async () =>
  (await (await dash(on.service, 'freigaben', { session: on.session })).json()) as Share[]
const withdraw = (key: string) =>
  dash(on.service, `freigaben?schluessel=${encodeURIComponent(key)}`, {
    method: 'DELETE',
    session: on.session,
  })
const open = (key: string, headers: Record<string, string> = {}) =>
  fetch(`${on.service.url}/s/${key}`, { headers })

describe('making a link', () => {
  test('answers its record, and the list has it', async () => {
    const before = Date.now()
    const made = await make()
    expect(made).toEqual({
      schluessel: expect.stringMatching(/^[A-Za-z0-9_-]{22,}$/),
      ordner: 'album',
      url: `http://localhost:${on.service.port}/s/${made.schluessel}`,
      erstellt_am: expect.any(Number),
      erstellt_von: 'admin',
      gueltig_bis: null,
    })
    expect(made.erstellt_am).toBeGreaterThanOrEqual(before)
    expect(await list()).toContainEqual(made)
  })

  test('each time another key', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, async () => (await make()).schluessel))
    expect(new Set(keys).size).toBe(10)
  })

  test('the folder may be written with its final slash', async () => {
    expect((await make('album/Sub/')).ordner).toBe('album/Sub')
  })

  test.each(['nowhere', 'albu', 'ALBUM', 'album/sub', 'album.txt', 'album/b.txt'])(
    'a folder %s that is not there is 404',
    async ordner => {
      const before = (await list()).length
      await expectError(
        await dash(on.service, 'freigaben', { json: { ordner }, session: on.session }),
        404,
        /Ordner/,
      )
      expect(await list()).toHaveLength(before)
    },
  )

  test.each([{ ordner: '' }, { ordner: '/' }, { ordner: '../x' }, { ordner: 5 }, {}])(
    '%j is 400',
    async json => {
      await expectError(await dash(on.service, 'freigaben', { json, session: on.session }), 400, /ordner/)
    },
  )

  test('and withdrawing stand in the administration history, without the key', async () => {
    const { schluessel } = await make()
    await withdraw(schluessel)
    const response = await dash(on.service, 'verwaltung', { session: on.session })
    const text = await response.text()
    const [withdrawn, made] = (JSON.parse(text) as { eintraege: Record<string, unknown>[] }).eintraege
    expect(withdrawn).toMatchObject({ was: 'freigabe_widerrufen', wer: 'admin', alt: 'album', neu: null })
    expect(made).toMatchObject({ was: 'freigabe_erstellt', wer: 'admin', alt: null, neu: 'album' })
    expect(text).not.toContain(schluessel)
  })
})

describe('what a link shows', () => {
  test('the folder with its subfolders, by name, and nothing beside it', async () => {
    const { ordner, dateien } = await readShare(on.service, await make())
    expect(ordner).toBe('album')
    expect(dateien.map(({ name }) => name)).toEqual(['Sub/a.png', 'b.txt', 'tone.mp3'])
    expect(dateien[1]).toEqual({
      name: 'b.txt',
      size: 5,
      art: 'dokumente',
      url: `http://localhost:${on.service.port}/f/album/b.txt`,
      laenge: null,
    })
    expect(dateien[2]?.laenge).toBeGreaterThan(0)
  })

  test('no hash, token, time, count or id', async () => {
    const text = await (await open((await make()).schluessel)).text()
    const { dateien } = JSON.parse(text) as { dateien: Record<string, unknown>[] }
    for (const file of dateien) expect(Object.keys(file)).toEqual(['name', 'size', 'art', 'url', 'laenge'])
    expect(text).not.toMatch(/[0-9a-f]{64}/)
  })

  test('what is stored later too', async () => {
    const made = await make('album2')
    await store(on.service, on.token, 'album2/later.txt', 'y')
    expect((await readShare(on.service, made)).dateien.map(file => file.name)).toEqual([
      'later.txt',
      'other.txt',
    ])
  })

  test('a file that is thrown away no more', async () => {
    await store(on.service, on.token, 'gone/a.txt', '1')
    const made = await make('gone')
    await fetch(`${on.service.url}/api/media/gone/a.txt`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${on.token}` },
    })
    expect(await readShare(on.service, made)).toEqual({ ordner: 'gone', dateien: [] })
  })

  test('is for everybody, kept by no cache, found by no search engine', async () => {
    const { headers, status } = await open((await make()).schluessel)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('vary')).toContain('Accept')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('HEAD answers the head, other methods are 405', async () => {
    const { schluessel } = await make()
    const answer = await fetch(`${on.service.url}/s/${schluessel}`, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    const posted = await fetch(`${on.service.url}/s/${schluessel}`, { method: 'POST' })
    expect(posted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    await expectError(posted, 405)
  })
})

describe('a key that opens nothing', () => {
  /** The whole answer, except headers that differ every time. */
  /** Headers that differ in every answer. */
  const OF_ITS_OWN = ['date', 'x-request-id']

  async function answerTo(key: string, accept = '*/*') {
    const response = await sendRaw(on.service.port, head(`GET /s/${key}`, { Accept: accept }))
    const headers = [...response.headers].filter(([name]) => !OF_ITS_OWN.includes(name)).sort()
    return { status: response.status, headers, body: await response.text() }
  }

  test('withdrawn, unknown and malformed: the very same answer', async () => {
    const { schluessel } = await make()
    expect((await answerTo(schluessel)).status).toBe(200)
    expect((await withdraw(schluessel)).status).toBe(200)
    const withdrawn = await answerTo(schluessel)
    expect(withdrawn.status).toBe(404)
    await expectError(await open(schluessel), 404)
    const other = schluessel.replace(/^./, first => (first === '0' ? '1' : '0'))
    const malformed = ['', 'x', '%', '%zz', '%2e%2e', 'a/b', `${schluessel}/`, 'ä', 'x'.repeat(5000), "'--"]
    for (const key of [
      other,
      schluessel.toUpperCase(),
      ...malformed.map(text => encodeURI(text)),
      '%zz',
      '%',
    ])
      expect([key, await answerTo(key)]).toEqual([key, withdrawn])
    expect(await answerTo(other, 'text/html')).toEqual(await answerTo(schluessel, 'text/html'))
  })

  test('withdrawing it again is 404, and without a key 400', async () => {
    const { schluessel } = await make()
    const response = await withdraw(schluessel)
    expect(await response.json()).toEqual({ ok: true })
    expect((await list()).some(each => each.schluessel === schluessel)).toBe(false)
    await expectError(await withdraw(schluessel), 404)
    await expectError(
      await dash(on.service, 'freigaben', { method: 'DELETE', session: on.session }),
      400,
      /schluessel/,
    )
  })

  test('withdrawing touches no other link and leaves the files public', async () => {
    const [kept, gone] = [await make(), await make()]
    await withdraw(gone.schluessel)
    expect((await readShare(on.service, kept)).dateien).toHaveLength(3)
    expect((await read(on.service, 'album/b.txt')).status).toBe(200)
  })
})

test('old links survive another public address, and are listed with the new one', async () => {
  const made = await make()
  const json = { PUBLIC_URL: 'https://neu.example.org' }
  expect((await dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session })).status).toBe(
    200,
  )
  try {
    const url = `https://neu.example.org/s/${made.schluessel}`
    expect(await list()).toContainEqual({ ...made, url })
    const { dateien } = await readShare(on.service, made)
    expect(dateien[1]?.url).toBe('https://neu.example.org/f/album/b.txt')
  } finally {
    await dash(on.service, 'einstellungen', { method: 'PUT', json: { PUBLIC_URL: '' }, session: on.session })
  }
})

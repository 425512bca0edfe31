/** Share links with an end: given, changed, and past; then the link answers as an unknown one. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, read, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { head, sendRaw } from '../support/raw.ts'
import { signedInService } from '../support/shared-service.ts'
import { readShare, type Share, share } from '../support/shares.ts'
import { eventually } from '../support/wait.ts'

const HOUR = 3_600_000
const on = signedInService()
beforeAll(() => store(on.service, on.token, 'album/a.txt', 'a'))
const make = (gueltig_bis?: number) => share(on.service, on.session, 'album', gueltig_bis)
const list = async () =>
  (await (await dash(on.service, 'freigaben', { session: on.session })).json()) as Share[]
const change = (schluessel: string, json: unknown) =>
  dash(on.service, `freigaben?schluessel=${schluessel}`, { method: 'PATCH', json, session: on.session })
const statusOf = async (key: string, tail = '') => (await fetch(`${on.service.url}/s/${key}${tail}`)).status

/** The whole answer but for what every answer has of its own. */
async function answerTo(path: string, headers: Record<string, string>) {
  const response = await sendRaw(on.service.port, head(`GET /s/${path}`, headers))
  const own = ['date', 'x-request-id']
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !own.includes(name)).sort(),
    body: await response.text(),
  }
}

describe('an end', () => {
  test('is answered and listed; before it the link works as any other', async () => {
    const until = Date.now() + HOUR
    const made = await make(until)
    expect(made.gueltig_bis).toBe(until)
    expect(await list()).toContainEqual(made)
    expect((await readShare(on.service, made)).dateien).toHaveLength(1)
    expect(Object.keys(await readShare(on.service, made))).toEqual(['ordner', 'dateien'])
  })

  test('that is null or absent is none', async () => {
    const response = await dash(on.service, 'freigaben', {
      json: { ordner: 'album', gueltig_bis: null },
      session: on.session,
    })
    expect(await response.json()).toMatchObject({ gueltig_bis: null })
    expect((await make()).gueltig_bis).toBeNull()
  })

  test('ends the link by itself: list, page and ZIP answer exactly as for an unknown key', async () => {
    const { schluessel } = await make(Date.now() + 400)
    expect(await statusOf(schluessel)).toBe(200)
    await eventually('the end', async () => (await statusOf(schluessel)) === 404)
    const unknown = schluessel.replace(/^./, first => (first === '0' ? '1' : '0'))
    for (const headers of [{}, { Accept: 'text/html' }, { Accept: 'text/html', 'Accept-Language': 'en' }])
      expect(await answerTo(schluessel, headers)).toEqual(await answerTo(unknown, headers))
    expect(await answerTo(`${schluessel}/zip`, {})).toEqual(await answerTo(`${unknown}/zip`, {}))
    await expectError(await fetch(`${on.service.url}/s/${schluessel}`), 404, /Freigabe/)
    expect((await read(on.service, 'album/a.txt')).status).toBe(200)
  })

  test('can be moved, also after it has passed, and taken away', async () => {
    const { schluessel } = await make(Date.now() - HOUR)
    expect(await statusOf(schluessel)).toBe(404)
    const until = Date.now() + HOUR
    const changed = (await (await change(schluessel, { gueltig_bis: until })).json()) as Share
    expect(changed).toMatchObject({ schluessel, gueltig_bis: until })
    expect(await statusOf(schluessel)).toBe(200)
    expect(await (await change(schluessel, { gueltig_bis: null })).json()).toMatchObject({
      gueltig_bis: null,
    })
    expect((await list()).find(each => each.schluessel === schluessel)?.gueltig_bis).toBeNull()
    expect((await change(schluessel, { gueltig_bis: Date.now() - 1 })).status).toBe(200)
    expect(await statusOf(schluessel)).toBe(404)
  })

  test('and its change stand in the administration history, without the key', async () => {
    const { schluessel } = await make(Date.now() + HOUR)
    await change(schluessel, { gueltig_bis: null })
    const text = await (await dash(on.service, 'verwaltung', { session: on.session })).text()
    const [changed, made] = (JSON.parse(text) as { eintraege: Record<string, unknown>[] }).eintraege
    expect(changed).toMatchObject({ was: 'freigabe_geaendert', neu: 'album' })
    expect(changed?.alt).toMatch(/^album \(bis \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\)$/)
    expect(made).toMatchObject({ was: 'freigabe_erstellt', neu: changed?.alt })
    expect(text).not.toContain(schluessel)
  })

  test.each([0, -1, 1.5, 'morgen', 1e20, true])('%j is 400', async gueltig_bis => {
    const { schluessel } = await make()
    const response = await dash(on.service, 'freigaben', {
      json: { ordner: 'album', gueltig_bis },
      session: on.session,
    })
    await expectError(response, 400, /gueltig_bis/)
    await expectError(await change(schluessel, { gueltig_bis }), 400, /gueltig_bis/)
  })

  test('of a link that is not there is 404, without a value 400', async () => {
    await expectError(await change('nobody', { gueltig_bis: null }), 404)
    await expectError(await change((await make()).schluessel, {}), 400)
  })
})

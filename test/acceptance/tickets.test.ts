/**
 * Tickets: addresses with which a program without a token uploads a few files, within the limits of the token
 * that made them.
 */
import { describe, expect, test } from 'bun:test'
import { answered, bytesOf, expectError, read, store, type UploadAnswer } from '../support/api.ts'
import { concat, EVERY_BYTE, randomBytes, sha256 } from '../support/bytes.ts'
import { databaseTexts, stagedFiles } from '../support/data-folder.ts'
import { media } from '../support/media.ts'
import { fileForm } from '../support/multipart.ts'
import { png } from '../support/pictures.ts'
import { askForTicket, makeTicket, type TicketInput, useTicket } from '../support/tickets.ts'
import { sharedServiceWithAdmin, type TokenLimits } from '../support/token-admin.ts'
import { countedUsage, storesNothing } from '../support/usage.ts'
import { eventually } from '../support/wait.ts'

const on = sharedServiceWithAdmin()
let made = 0
const newFolder = () => `tickets/${++made}`
const ticket = (input?: TicketInput) => makeTicket(on.service, on.token, input)
const stored = async (response: Response) => answered<UploadAnswer>(response)

describe('a ticket', () => {
  test('is one upload within ten minutes, unless it says otherwise', async () => {
    const before = Date.now()
    const one = await ticket()
    expect(one.anzahl).toBe(1)
    expect(one.gueltig_bis - before).toBeGreaterThan(590_000)
    expect(one.gueltig_bis - before).toBeLessThan(660_000)
    const more = await ticket({ anzahl: 100, gueltig_s: 86_400 })
    expect([more.anzahl, more.gueltig_bis > before + 86_000_000]).toEqual([100, true])
    expect((await askForTicket(on.service, on.token)).status).toBe(200)
    const nothing = Object.fromEntries(
      ['pfad', 'ordner', 'max_bytes', 'arten', 'gueltig_s', 'anzahl', 'ueberschreiben'].map(name => [
        name,
        null,
      ]),
    )
    expect((await ticket(nothing)).anzahl).toBe(1)
  })

  test('ends with its token, if that is sooner', async () => {
    const gueltig_bis = Date.now() + 120_000
    const { token } = await on.admin.create({ gueltig_bis })
    expect((await makeTicket(on.service, token)).gueltig_bis).toBe(gueltig_bis)
  })

  test.each<[what: string, input: unknown, status: number, about: RegExp]>([
    ['both places', { pfad: 'a.bin', ordner: 'a' }, 400, /„ordner“.*„pfad“/],
    ['too long a life', { gueltig_s: 86_401 }, 400, /„gueltig_s“.*86400/],
    ['no life', { gueltig_s: 0 }, 400, /„gueltig_s“/],
    ['too many uses', { anzahl: 101 }, 400, /„anzahl“.*100/],
    ['no use', { anzahl: 0 }, 400, /„anzahl“/],
    ['no size', { max_bytes: 0 }, 400, /„max_bytes“/],
    ['no kinds', { arten: [] }, 400, /„arten“/],
    ['an unknown kind', { arten: ['filme'] }, 400, /„arten/],
    ['an unknown field', { anzhal: 2 }, 400, /anzhal/],
    ['an invalid path', { pfad: '../a.bin' }, 400, /Pfad/],
    ['an invalid folder', { ordner: 'a//b' }, 400, /„ordner“/],
    ['a path outside the prefix', { pfad: 'elsewhere/a.bin' }, 403, /only\//],
    ['a folder outside the prefix', { ordner: 'only-not' }, 403, /only\//],
  ])('with %s is refused', async (_, input, status, about) => {
    const token = await on.tokenWith('--prefix', 'only')
    await expectError(await askForTicket(on.service, token, input), status, about)
  })

  test('costs a token, and the paths of presigned addresses stay unknown', async () => {
    await expectError(await askForTicket(on.service, 'media_unknown', {}), 401)
    for (const path of ['presigned-url', 'v3/file/presigned-url', 'image/presigned-url'])
      await expectError(
        await fetch(`${on.service.url}/api/${path}`, { headers: { Authorization: on.token } }),
        404,
        /unterschrieben/,
      )
  })

  test('stands nowhere in the database; a wrong one is found nowhere either', async () => {
    const { url } = await ticket()
    const secret = url.split('/').at(-1)!
    expect(secret).toMatch(/^ticket_[A-Za-z0-9_-]{43}$/)
    const texts = (await databaseTexts(on.service.dataDir)).join('\n')
    expect([texts.includes(sha256(concat(secret))), texts.includes(secret.slice(7))]).toEqual([true, false])
  })
})

describe('an upload with it', () => {
  const FORMS: [
    what: string,
    body: () => Parameters<typeof useTicket>[1],
    headers: Record<string, string>,
  ][] = [
    ['a form', () => fileForm(EVERY_BYTE, 'a.bin'), {}],
    ['Base64 text', () => Buffer.from(EVERY_BYTE).toString('base64'), { 'X-Encoding': 'base64' }],
    ['raw bytes', () => EVERY_BYTE, { 'Content-Type': 'application/octet-stream' }],
  ]
  test.each(FORMS.flatMap(form => (['POST', 'PUT'] as const).map(method => [method, ...form] as const)))(
    '%s of %s answers as /api/upload does',
    async (method, _, body, headers) => {
      const folder = newFolder()
      const { url } = await ticket({ ordner: folder })
      const all = { ...headers, 'X-Path': 'a.bin', 'X-Mime': 'application/x-test' }
      const answer = await stored(await useTicket(url, body(), all, method))
      expect(answer).toEqual({
        url: `${new URL(url).origin}/f/${folder}/a.bin`,
        path: `${folder}/a.bin`,
        size: 256,
        sha256: sha256(EVERY_BYTE),
        mime: 'application/x-test',
        replaced: false,
      })
      expect(sha256(await bytesOf(await read(on.service, answer.path)))).toBe(answer.sha256)
    },
  )

  test.each<[what: string, input: TicketInput, asked: string | null, path: RegExp]>([
    ['the path of the ticket', { pfad: 'tickets/fixed/a.txt' }, null, /^tickets\/fixed\/a\.txt$/],
    ['the path of the ticket, whatever is asked', { pfad: 'tickets/fixed/b.txt' }, 'c.txt', /fixed\/b\.txt$/],
    ['a name asked for below the folder', { ordner: 'tickets/own' }, 'x/c.txt', /^tickets\/own\/x\/c\.txt$/],
    [
      'a generated name below the folder',
      { ordner: 'tickets/own/' },
      null,
      /^tickets\/own\/[0-9a-f]{32}\.txt$/,
    ],
    ['a generated name', {}, null, /^uploads\/[0-9a-f]{32}\.txt$/],
    ['a name asked for where no folder is named', {}, 'tickets/d.txt', /^uploads\/tickets\/d\.txt$/],
  ])('goes to %s', async (_, input, asked, path) => {
    const { url } = await ticket(input)
    const headers = { 'X-Mime': 'text/plain', ...(asked !== null && { 'X-Path': asked }) }
    expect((await stored(await useTicket(url, `content ${++made}`, headers))).path).toMatch(path)
  })

  test.each(['../a.txt', '/a.txt', 'a/../../b.txt', ''])('never leaves the folder: %p', async asked => {
    const { url } = await ticket({ ordner: newFolder() })
    await expectError(await useTicket(url, 'x', { 'X-Path': asked }), 400, /Pfad/)
  })

  test('goes below the prefix of the token where the ticket names no folder', async () => {
    const { token } = await on.admin.create({ praefix: 'tickets/prefix' })
    const { url } = await makeTicket(on.service, token)
    expect((await stored(await useTicket(url, 'x', { 'X-Path': 'e.txt' }))).path).toBe('tickets/prefix/e.txt')
  })

  test('overwrites only if the ticket says so, whatever the caller asks', async () => {
    const path = `${newFolder()}/a.txt`
    await store(on.service, on.token, path, 'first')
    const never = await ticket({ pfad: path })
    await expectError(await useTicket(never.url, 'second', { 'X-Overwrite': 'true' }), 409)
    const may = await ticket({ pfad: path, ueberschreiben: true, anzahl: 2 })
    await expectError(await useTicket(may.url, 'second', { 'X-Overwrite': 'false' }), 409)
    expect((await stored(await useTicket(may.url, 'second'))).replaced).toBe(true)
    expect(await (await read(on.service, path)).text()).toBe('second')
  })

  test('the same content without a name may come again; a name that is taken may not', async () => {
    const folder = newFolder()
    const { url } = await ticket({ ordner: folder, anzahl: 3 })
    const answers = [await useTicket(url, 'same'), await useTicket(url, 'same')]
    expect(await Promise.all(answers.map(async answer => (await stored(answer)).replaced))).toEqual([
      false,
      true,
    ])
    await expectError(await useTicket(url, 'same', { 'X-Overwrite': 'false' }), 409)
    expect((await stored(await useTicket(url, 'same', { 'X-Path': 'a.txt' }))).replaced).toBe(false)
    await expectError(await useTicket(url, 'same'), 401)
  })

  test('may come from every site, its preflight and its refusals too', async () => {
    const { url } = await ticket()
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'PUT' }
    const preflight = await fetch(url, { method: 'OPTIONS', headers })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'POST, PUT, OPTIONS',
    ])
    const refused = await useTicket(`${url}x`, 'x', { Origin: headers.Origin })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
    await expectError(await fetch(url), 405)
  })
})

describe('the limits at the moment of use', () => {
  const use = async (url: string) => useTicket(url, await png(), { 'X-Path': `${++made}.png` })

  test.each<[limits: TokenLimits, status: number, about: RegExp]>([
    [{ praefix: 'elsewhere' }, 403, /elsewhere\//],
    [{ max_datei: 10 }, 413, /10 Byte/],
    [{ kontingent: 10 }, 413, /Kontingent/],
    [{ arten: ['audio'] }, 403, /bilder/],
  ])('a token changed to %p since', async (limits, status, about) => {
    const { id, token } = await on.admin.create()
    const { url } = await makeTicket(on.service, token, { ordner: newFolder() })
    await on.admin.patch(id, limits)
    await expectError(await use(url), status, about)
    await on.admin.patch(id, Object.fromEntries(Object.keys(limits).map(name => [name, null])))
    expect((await use(url)).status).toBe(200)
  })

  test('pictures are scaled down as the token says', async () => {
    const { token } = await on.admin.create({ max_kante: 8 })
    const { url } = await makeTicket(on.service, token, { ordner: newFolder() })
    expect((await stored(await useTicket(url, await png({ width: 32, height: 16 })))).verkleinert).toEqual({
      von: '32x16',
      auf: '8x4',
    })
  })

  test.each<[input: TicketInput, status: number, about: RegExp]>([
    [{ max_bytes: 10 }, 413, /10 Byte/],
    [{ arten: ['audio', 'video'] }, 403, /bilder/],
  ])('those of the ticket itself: %p', async (input, status, about) => {
    await expectError(await use((await ticket({ ordner: newFolder(), ...input })).url), status, about)
  })

  test('a ticket widens no limit of its token, and the label alone does not decide the kind', async () => {
    const { token } = await on.admin.create({ arten: ['bilder'], max_datei: 2000 })
    const input = { ordner: newFolder(), arten: ['bilder', 'audio'], max_bytes: 100_000, anzahl: 3 }
    const { url } = await makeTicket(on.service, token, input)
    await expectError(await useTicket(url, media('tone.mp3'), { 'X-Path': 'a.mp3' }), 403, /audio/)
    await expectError(await useTicket(url, media('tone.mp3').subarray(0, 1500), { 'X-Path': 'a.png' }), 403)
    await expectError(await useTicket(url, randomBytes(1, 3000), { 'X-Path': 'a.png' }), 413)
    expect((await useTicket(url, await png({ width: 8, height: 8 }), { 'X-Path': 'a.png' })).status).toBe(200)
  })

  test('its files count for the token, which the history names', async () => {
    const { id, token } = await on.admin.create({ name: 'behind a ticket' })
    const { url } = await makeTicket(on.service, token, { ordner: newFolder() })
    await stored(await useTicket(url, 'content'))
    expect((await countedUsage(on.service.dataDir)).find(usage => usage.token_id === id)).toMatchObject({
      files: 1,
      bytes: 7,
    })
  })
})

describe('the same 401', () => {
  const refusal = async (url: string) => {
    const response = await useTicket(url, 'x', { 'X-Path': `${++made}.txt` })
    const code = response.headers.get('x-fehler-code')
    return { sentence: await expectError(response, 401, /Ticket/), code }
  }

  test('for unknown, used up, expired and withdrawn ones, and where the token has expired', async () => {
    const usedUp = await ticket()
    await stored(await useTicket(usedUp.url, `content ${++made}`))
    const expired = await ticket({ gueltig_s: 1 })
    const { id, token } = await on.admin.create()
    const withdrawn = await makeTicket(on.service, token)
    await on.admin.withdraw(id)
    const short = await on.admin.create()
    const ofExpired = await makeTicket(on.service, short.token)
    await on.admin.patch(short.id, { gueltig_bis: Date.now() - 1000 })
    await eventually('the ticket to expire', () => Date.now() >= expired.gueltig_bis)
    const unknown = `${usedUp.url.slice(0, -1)}${usedUp.url.endsWith('A') ? 'B' : 'A'}`
    const all = [
      usedUp.url,
      expired.url,
      withdrawn.url,
      ofExpired.url,
      unknown,
      `${new URL(unknown).origin}/api/tickets/x`,
    ]
    const answers = await Promise.all(all.map(refusal))
    expect(answers).toEqual(all.map(() => ({ ...answers[0]!, code: 'ticket-invalid' })))
  })

  test('comes before the body is read', async () => {
    let asked = 0
    const body = new ReadableStream({
      pull(controller) {
        asked++
        if (asked > 400) controller.close()
        else controller.enqueue(new Uint8Array(64 * 1024))
      },
    })
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await useTicket(`${on.service.url}/api/tickets/none`, body), 401)
    })
  })
})

describe('a refused use does not count', () => {
  test('whatever it was refused for', async () => {
    const { id, token } = await on.admin.create({ kontingent: 3000 })
    const folder = newFolder()
    await store(on.service, token, `${folder}/taken.txt`, 'x')
    const { url } = await makeTicket(on.service, token, {
      ordner: folder,
      max_bytes: 4000,
      arten: ['dokumente', 'bilder'],
    })
    const refused: [status: number, response: Promise<Response>][] = [
      [409, useTicket(url, 'y', { 'X-Path': 'taken.txt' })],
      [400, useTicket(url, 'y', { 'X-Path': 'digest.txt', 'X-Sha256': sha256(EVERY_BYTE) })],
      [400, useTicket(url, '', { 'X-Path': 'empty.txt' })],
      [400, useTicket(url, '%%%', { 'X-Path': 'broken.txt', 'X-Encoding': 'base64' })],
      [400, useTicket(url, 'y', { 'X-Path': 'mime.txt', 'X-Mime': 'no type' })],
      [403, useTicket(url, media('tone.mp3').subarray(0, 2000), { 'X-Path': 'a.mp3' })],
      [413, useTicket(url, randomBytes(2, 5000), { 'X-Path': 'long.txt' })],
      [413, useTicket(url, 'x'.repeat(3500), { 'X-Path': 'quota.txt' })],
    ]
    for (const [status, response] of refused) await expectError(await response, status)
    expect((await stored(await useTicket(url, 'y', { 'X-Path': 'good.txt' }))).size).toBe(1)
    await expectError(await useTicket(url, 'z', { 'X-Path': 'next.txt' }), 401)
    expect(await on.admin.find(id)).toMatchObject({ dateien: 2, bytes: 2 })
  })
})

describe('50 uses at once', () => {
  const FIFTY = Array.from({ length: 50 }, (_, n) => n)

  test.each<[what: string, input: TicketInput, uses: number, path: (n: number) => string | null]>([
    ['of one use, each with its own name', {}, 1, n => `${n}.bin`],
    ['of one use and one path', { pfad: 'tickets/race/one.bin' }, 1, () => null],
    ['of one use that may overwrite', { pfad: 'tickets/race/over.bin', ueberschreiben: true }, 1, () => null],
    ['of seven uses', { anzahl: 7 }, 7, n => `${n}.bin`],
  ])('%s: exactly so many files, the same 401 for all others', async (_, input, uses, path) => {
    const folder = newFolder()
    const { id, token } = await on.admin.create()
    const { url } = await makeTicket(on.service, token, input.pfad ? input : { ordner: folder, ...input })
    const answers = await Promise.all(
      FIFTY.map(n => {
        const asked = path(n)
        return useTicket(url, randomBytes(n, 20_000 + n), { ...(asked !== null && { 'X-Path': asked }) })
      }),
    )
    const texts = await Promise.all(answers.map(answer => answer.text()))
    const refused = answers.flatMap(({ status }, at) => (status === 200 ? [] : [`${status} ${texts[at]}`]))
    expect([refused.length, new Set(refused).size]).toEqual([50 - uses, 1])
    expect(refused[0]).toStartWith('401 ')
    expect((await on.admin.find(id)).dateien).toBe(uses)
    await eventually('nothing is staged', async () => (await stagedFiles(on.service.dataDir)).length === 0)
  })
})

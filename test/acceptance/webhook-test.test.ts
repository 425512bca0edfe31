/** `POST /api/dash/webhook/test`: sends one message and returns the receiver's answer. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { CHAT_SECRET, openChat } from '../support/chat.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { startService } from '../support/service.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService()
const chat = openChat()
afterAll(() => chat[Symbol.dispose]())

beforeEach(async () => {
  await save({ WEBHOOK_URL: null, WEBHOOK_ANLAESSE: null })
  chat.answerWith(() => new Response(null, { status: 204 }))
  chat.received.length = 0
})
const save = (json: unknown) =>
  dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session })
const tryIt = (json?: unknown) =>
  dash(on.service, 'webhook/test', {
    method: 'POST',
    session: on.session,
    ...(json !== undefined && { json }),
  })
const answerOf = async (response: Response) => {
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return (await response.json()) as { ok: boolean; status: number | null; antwort: string; code?: string }
}

describe('sends one message at once', () => {
  test('to the saved address, also with every occasion switched off, with or without a body', async () => {
    await save({ WEBHOOK_URL: chat.url, WEBHOOK_ANLAESSE: ['platte'], DIENST: 'Medien' })
    for (const body of [undefined, {}, { url: '' }])
      expect(await answerOf(await tryIt(body))).toEqual({ ok: true, status: 204, antwort: '' })
    expect(chat.received).toHaveLength(3)
    expect(chat.received[0]?.body).toEqual({
      content: 'Medien: Das ist eine Testnachricht. Nachrichten kommen hier an.',
      allowed_mentions: { parse: [] },
    })
    await save({ DIENST: null })
  })

  test('also when the request names the saved address itself', async () => {
    await save({ WEBHOOK_URL: chat.url })
    for (const url of [chat.url, ` ${chat.url} `, null])
      expect(await answerOf(await tryIt({ url }))).toMatchObject({ ok: true })
    expect(chat.received).toHaveLength(3)
  })

  test('an address that is not saved is refused, told of, and nothing is sent', async () => {
    const other = `${chat.origin}/hooks/x`
    await expectError(await tryIt({ url: other }), 400, /gespeichert/)
    await save({ WEBHOOK_URL: chat.url })
    await expectError(await tryIt({ url: other }), 400, /gespeichert/)
    expect(chat.received).toEqual([])
  })
})

describe('each test stands in the administration history', () => {
  const newest = async () => {
    const response = await dash(on.service, 'verwaltung', { session: on.session })
    const { eintraege } = (await response.json()) as {
      eintraege: { wer: string; was: string; neu: unknown }[]
    }
    return eintraege[0]
  }

  test('with who, and what came back; never with the address', async () => {
    await save({ WEBHOOK_URL: chat.url })
    await tryIt()
    expect(await newest()).toMatchObject({
      wer: 'admin',
      was: 'webhook_getestet',
      alt: null,
      neu: 'Status 204',
    })
    chat.answerWith(() => new Response('no', { status: 404 }))
    await tryIt()
    expect(await newest()).toMatchObject({ was: 'webhook_getestet', neu: 'Status 404' })
    expect(JSON.stringify(await newest())).not.toContain(CHAT_SECRET)
  })

  test('also one that nobody answered; not one that was refused', async () => {
    const gone = openChat()
    gone[Symbol.dispose]()
    await save({ WEBHOOK_URL: gone.url })
    await tryIt()
    const told = await newest()
    expect(told).toMatchObject({ was: 'webhook_getestet', neu: null })
    await tryIt({ url: chat.url })
    expect(await newest()).toEqual(told)
  })
})

describe('answers what the other side said', () => {
  test('a refusal, cut short and without the address', async () => {
    chat.answerWith(({ path }) => new Response(`Unknown ${path} ${'!'.repeat(5000)}`, { status: 404 }))
    await save({ WEBHOOK_URL: chat.url })
    const { ok, status, antwort } = await answerOf(await tryIt())
    expect([ok, status]).toEqual([false, 404])
    expect(antwort).toStartWith('Unknown … !!')
    expect(antwort.length).toBeLessThanOrEqual(300)
    expect(antwort).not.toContain(CHAT_SECRET)
  })

  test('a redirect, which is not followed', async () => {
    chat.answerWith(({ path }) =>
      path === '/elsewhere' ? new Response() : Response.redirect(`${chat.origin}/elsewhere`, 308),
    )
    await save({ WEBHOOK_URL: chat.url })
    const { ok, status, antwort } = await answerOf(await tryIt())
    expect([ok, status]).toEqual([false, 308])
    expect(antwort).toMatch(/leitet weiter/)
    expect(chat.received).toHaveLength(1)
  })

  test('nothing, since nobody is there: a German sentence instead', async () => {
    const gone = openChat()
    gone[Symbol.dispose]()
    await save({ WEBHOOK_URL: gone.url })
    expect(await answerOf(await tryIt())).toEqual({
      ok: false,
      status: null,
      antwort: 'Mit der Gegenstelle kam keine Verbindung zustande.',
      code: 'webhook-unreachable',
    })
  })
})

describe('what is wrong with the request', () => {
  test('no address anywhere', async () => {
    await expectError(await tryIt(), 400, /WEBHOOK_URL/)
    await expectError(await tryIt({}), 400, /WEBHOOK_URL/)
  })

  test.each([
    [{ url: 'ftp://example.org/x' }],
    [{ url: 'irgendwas' }],
    [{ url: 5 }],
    [{ adresse: 'http://127.0.0.1/' }],
    [[]],
  ])('%j', async body => {
    await expectError(await tryIt(body), 400)
    expect(chat.received).toEqual([])
  })
})

test('without WEBHOOK_INTERN nothing is sent into the house: neither a test nor a message', async () => {
  await using service = await startService({
    env: { ...ADMIN_ENV, WEBHOOK_INTERN: '', WEBHOOK_URL: chat.url },
  })
  const own = await signIn(service)
  const response = await dash(service, 'webhook/test', { method: 'POST', session: own })
  expect(await answerOf(response)).toEqual({
    ok: false,
    status: null,
    antwort: expect.stringContaining('WEBHOOK_INTERN'),
    code: 'webhook-internal',
  })
  expect(chat.received).toEqual([])
})

/** `GET /api/dash/ereignisse`: server-sent events, whichever process caused them. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { expectError, remove, store } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { type Listening, useListeners } from '../support/events.ts'
import { png } from '../support/pictures.ts'
import { startService } from '../support/service.ts'
import { signedInService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = signedInService({ delays: { heartbeat: 300 } })
setDefaultTimeout(180_000)

const listen = useListeners()
const files = (from: Listening) => from.events().filter(({ event }) => event === 'datei')

test('a preview that is made is told by the path of its file; a text gets no preview and tells nothing', async () => {
  const stream = await listen(on.service, on.session)
  const previewEvents = () => stream.events().filter(({ event }) => event === 'vorschau')
  await store(on.service, on.token, 'vorschau/notiz.txt', 'notiz')
  await store(on.service, on.token, 'vorschau/bild.png', await png())
  await eventually('the preview is told', () => previewEvents().length > 0)
  expect(previewEvents()).toEqual([{ event: 'vorschau', data: { pfad: 'vorschau/bild.png' } }])
  expect((await fetch(`${on.service.url}/t/vorschau/bild.png.webp`)).status).toBe(200)
})

test('HEAD opens nothing', async () => {
  for (let at = 0; at < 25; at++)
    expect((await dash(on.service, 'ereignisse', { method: 'HEAD', session: on.session })).status).toBe(200)
})

test('its headers, and when to come back', async () => {
  const { response, text } = await listen(on.service, on.session)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(text()).toStartWith('retry: ')
})

test('uploads, overwrites and deletions, with path, kind and size', async () => {
  const stream = await listen(on.service, on.session)
  await store(on.service, on.token, 'live/a.txt', '12')
  await eventually('the upload is told', () => files(stream).length === 1)
  await store(on.service, on.token, 'live/a.txt', '123')
  await remove(on.service, on.token, 'live/a.txt')
  await eventually('all three are told', () => files(stream).length === 3)
  const told = files(stream).map(({ data: { was, pfad, bytes, wer } }) => [was, pfad, bytes, wer])
  expect(told).toEqual([
    ['hochgeladen', 'live/a.txt', 2, 'Token test'],
    ['ueberschrieben', 'live/a.txt', 3, 'Token test'],
    ['entfernt', 'live/a.txt', 3, 'Token test'],
  ])
  expect(files(stream)[0]?.data.art).toBe('dokumente')
})

test('a changed setting, without its value', async () => {
  const stream = await listen(on.service, on.session)
  const json = { WEBHOOK_URL: 'https://discord.com/api/webhooks/1/very-secret' }
  await dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session })
  const told = await eventually('the change is told', () =>
    stream.events().find(each => each.event === 'verwaltung'),
  )
  expect(told.data).toMatchObject({ was: 'WEBHOOK_URL', wer: 'admin' })
  expect(stream.text()).not.toContain('very-secret')
})

test('everyone who listens is told, and who comes back is told to look anew', async () => {
  const streams = await Promise.all([1, 2, 3].map(() => listen(on.service, on.session)))
  await store(on.service, on.token, 'live/b.txt', 'b')
  for (const stream of streams) await eventually('it is told', () => files(stream).length === 1)
  expect(streams[0]?.events().map(({ event }) => event)).not.toContain('neu_laden')
  const again = await listen(on.service, on.session, { 'Last-Event-ID': '1' })
  await eventually('it is told to look anew', () => again.events().some(({ event }) => event === 'neu_laden'))
})

test('at most 20 streams for a session at each instance; one that is closed makes room', async () => {
  const own = await signIn(on.service)
  const streams = []
  for (let at = 0; at < 20 * on.service.instances.length; at++) streams.push(await listen(on.service, own))
  await expectError(await dash(on.service, 'ereignisse', { session: own }), 429, /Fenster/)
  expect((await listen(on.service, on.session)).response.status).toBe(200)
  streams[0]?.close()
  await eventually('there is room again', async () => {
    const stream = await listen(on.service, own)
    return stream.response.status === 200
  })
})

test('the progress of a task in another process on the same data folder is told too', async () => {
  await using other = await startService({ dataDir: on.service.dataDir, env: ADMIN_ENV })
  const here = await listen(on.service, on.session)
  const there = await listen(other, on.session)
  const answer = await dash(other, 'maintenance/verwaiste', { method: 'POST', session: on.session, json: {} })
  expect(answer.status).toBe(200)
  for (const each of [here, there]) {
    await eventually('the end of the task is told', () =>
      each
        .events()
        .some(({ event, data }) => event === 'fortschritt' && data.aufgabe === 'verwaiste' && data.fertig),
    )
  }
})

test('what another process on the same data folder does is told too', async () => {
  await using other = await startService({ dataDir: on.service.dataDir })
  const stream = await listen(on.service, on.session)
  await store(other, on.token, 'live/other.txt', 'x')
  await eventually('it is told', () => files(stream).some(({ data }) => data.pfad === 'live/other.txt'))
})

describe('its end', () => {
  test('SIGTERM is not held up', async () => {
    await using service = await startService({ env: ADMIN_ENV })
    const own = await signIn(service)
    const streams = [await listen(service, own), await listen(service, own)]
    expect(await service.stop()).toBe(0)
    expect(service.logs().some(({ message }) => message === 'requests were cut off')).toBe(false)
    for (const stream of streams) await eventually('the stream has ended', stream.ended)
  })

  test('a session that is ended ends its streams; a heartbeat keeps the others', async () => {
    const own = await signIn(on.service)
    const [ending, staying] = [await listen(on.service, own), await listen(on.service, on.session)]
    await dash(on.service, 'logout', { method: 'POST', session: own })
    await eventually('the stream has ended', ending.ended)
    await eventually('a heartbeat has come', () => staying.text().includes('\n: '))
    expect(staying.ended()).toBe(false)
  })
})

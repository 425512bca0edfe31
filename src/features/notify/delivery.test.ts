import { describe, expect, test } from 'bun:test'
import { HOUR, MINUTE, SECOND } from '../../contract/values/units.ts'
import { openNotifyInstance, WEBHOOK_ADDRESS } from './testing.ts'

const status =
  (code: number, headers: Record<string, string> = {}, body = '') =>
  async () =>
    new Response(body, { status: code, headers })

describe('telling', () => {
  test('goes out once, with the name of the service, and also from a process that sends nothing itself', async () => {
    await using world = await openNotifyInstance()
    const [command, service] = [await world.startProcess(), await world.startProcess()]
    await command.notify.queue('sicherung', 'Die Sicherung ist fehlgeschlagen.')
    expect(world.sentTexts).toEqual([])
    await service.deliver()
    await service.deliver()
    expect(world.sentTexts).toEqual(['Fundus: Die Sicherung ist fehlgeschlagen.'])
  })

  test.each([
    ['no address', { WEBHOOK_URL: '' }],
    ['the occasion is switched off', { WEBHOOK_ANLAESSE: 'platte,upload' }],
  ])('%s: says nothing, also not later', async (_, environment) => {
    await using world = await openNotifyInstance()
    const { notify, deliver } = await world.startProcess()
    const before = { ...world.environment }
    Object.assign(world.environment, environment)
    await notify.queue('sicherung', 'x')
    Object.assign(world.environment, { WEBHOOK_ANLAESSE: '' }, before)
    await deliver()
    expect(world.sentTexts).toEqual([])
  })

  test('never fails what told it', async () => {
    await using world = await openNotifyInstance()
    const { notify, database } = await world.startProcess()
    await database.transaction(tx => tx.schema.dropTable('message').execute())
    await notify.queue('platte', 'x')
    expect(world.log()).toContain('a message could not be noted')
  })
})

describe('a message that is not accepted', () => {
  test('is tried again after growing pauses, not before', async () => {
    await using world = await openNotifyInstance()
    const { notify, deliver } = await world.startProcess()
    world.chat.answer = status(500)
    await notify.queue('platte', 'x')
    await deliver()
    for (const [at, pause] of [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, HOUR].entries()) {
      world.clock.now += pause - 1
      await deliver()
      expect(world.sentTexts).toHaveLength(at + 1)
      world.clock.now += 1
      await deliver()
      expect(world.sentTexts).toHaveLength(at + 2)
    }
    world.chat.answer = status(200)
    world.clock.now += HOUR
    await deliver()
    world.clock.now += HOUR
    await deliver()
    expect(world.sentTexts).toHaveLength(8)
  })

  test('is given up after a day, with a line in the log', async () => {
    await using world = await openNotifyInstance()
    const { notify, deliver, database } = await world.startProcess()
    world.chat.answer = status(503)
    await notify.queue('platte', 'x')
    for (let hour = 0; hour <= 24; hour++) {
      await deliver()
      world.clock.now += HOUR
    }
    expect(world.log()).toContain('a message was given up')
    expect(world.sentTexts).toHaveLength(25)
    expect(await database.read.selectFrom('message').selectAll().execute()).toEqual([])
  })

  test.each([400, 401, 403, 404, 410, 301, 302, 307])('%i: given up at once', async code => {
    await using world = await openNotifyInstance()
    const { notify, deliver } = await world.startProcess()
    world.chat.answer = status(code, { Location: 'http://127.0.0.1:1/elsewhere' })
    await notify.queue('platte', 'x')
    await deliver()
    world.clock.now += HOUR
    await deliver()
    expect(world.sentTexts).toHaveLength(1)
  })

  test.each([408, 429, 500, 502, 503])('%i: tried again', async code => {
    await using world = await openNotifyInstance()
    const { notify, deliver } = await world.startProcess()
    world.chat.answer = status(code)
    await notify.queue('platte', 'x')
    await deliver()
    world.clock.now += 5 * SECOND
    await deliver()
    expect(world.sentTexts).toHaveLength(2)
  })

  test('Retry-After and retry_after are waited for', async () => {
    await using world = await openNotifyInstance()
    const { notify, deliver } = await world.startProcess()
    await notify.queue('platte', 'x')
    const demands = [
      status(429, { 'Retry-After': '90' }),
      status(429, { 'Retry-After': '1' }, '{"retry_after": 90.0}'),
      status(503, { 'Retry-After': new Date(world.clock.now + 270 * SECOND).toUTCString() }),
    ]
    for (const [at, demand] of demands.entries()) {
      world.chat.answer = demand
      await deliver()
      expect(world.sentTexts).toHaveLength(at + 1)
      world.clock.now += 90 * SECOND - 1
      await deliver()
      expect(world.sentTexts).toHaveLength(at + 1)
      world.clock.now += at === 2 ? 2 * MINUTE : 1
    }
    await deliver()
    expect(world.sentTexts).toHaveLength(4)
  })

  test('makes others wait as long, and does not hold them up for ever', async () => {
    await using world = await openNotifyInstance()
    const { notify, deliver } = await world.startProcess()
    await notify.queue('platte', 'poison')
    await notify.queue('platte', 'fine')
    world.chat.answer = async () =>
      new Response('', { status: world.sentTexts.at(-1)?.includes('poison') ? 500 : 200 })
    await deliver()
    expect(world.sentTexts).toEqual(['Fundus: poison'])
    world.clock.now += 5 * SECOND
    await deliver()
    expect(world.sentTexts).toEqual(['Fundus: poison', 'Fundus: fine', 'Fundus: poison'])
  })

  test('survives a restart', async () => {
    await using world = await openNotifyInstance()
    const before = await world.startProcess()
    world.chat.answer = () => Promise.reject(new Error('refused'))
    await before.notify.queue('verwaiste', 'x')
    await before.deliver()
    world.chat.answer = status(200)
    world.clock.now += 5 * SECOND
    await (await world.startProcess()).deliver()
    expect(world.sentTexts).toHaveLength(2)
  })

  test('is forgotten when the address was taken away', async () => {
    await using world = await openNotifyInstance()
    const { notify, deliver } = await world.startProcess()
    world.chat.answer = status(500)
    await notify.queue('platte', 'x')
    await deliver()
    world.environment.WEBHOOK_URL = ''
    world.clock.now += HOUR
    await deliver()
    world.environment.WEBHOOK_URL = WEBHOOK_ADDRESS
    world.clock.now += HOUR
    await deliver()
    expect(world.sentTexts).toHaveLength(1)
  })
})

test('nothing more is begun once it is told to stop', async () => {
  await using world = await openNotifyInstance()
  const { notify, deliver } = await world.startProcess()
  await notify.queue('platte', 'one')
  await notify.queue('platte', 'two')
  await deliver(() => world.sentTexts.length === 0)
  expect(world.sentTexts).toEqual(['Fundus: one'])
})

test('the address stands in no line of the log, whatever goes wrong', async () => {
  await using world = await openNotifyInstance()
  const { notify, deliver } = await world.startProcess()
  const troubles = [
    status(404, {}, `Cannot POST ${new URL(WEBHOOK_ADDRESS).pathname}`),
    status(500, {}, WEBHOOK_ADDRESS),
    () => Promise.reject(Object.assign(new Error(`no way to ${WEBHOOK_ADDRESS}`), { path: WEBHOOK_ADDRESS })),
  ]
  for (const trouble of troubles) {
    world.chat.answer = trouble
    await notify.queue('platte', 'x')
    await deliver()
    world.clock.now += HOUR
  }
  expect(world.log()).toContain('a message')
  expect(world.log()).not.toContain('secret-part-of-it')
  expect(world.log()).not.toContain('chat.example.org')
})

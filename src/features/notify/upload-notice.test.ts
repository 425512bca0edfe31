import { describe, expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../contract/values/units.ts'
import { openNotifyInstance } from './testing.ts'

describe('uploads are told of after two quiet minutes', () => {
  test('three of them ten seconds apart: one message about three files, at the end of the two minutes', async () => {
    await using world = await openNotifyInstance()
    const { upload, deliver } = await world.startProcess()
    for (const [at, size] of [1000, 2000, 3000].entries()) {
      await upload(`items/${at}.png`, size)
      world.clock.now += 10 * SECOND
      await deliver()
    }
    world.clock.now += 110 * SECOND - 1
    await deliver()
    expect(world.sentTexts).toEqual([])
    world.clock.now += 1
    await deliver()
    await deliver()
    expect(world.sentTexts).toEqual([
      'Fundus: 3 Dateien hochgeladen, zusammen 5,86 KB, von Spielserver\n• items/0.png\n• items/1.png\n• items/2.png',
    ])
    world.clock.now += 60 * MINUTE
    await deliver()
    expect(world.sentTexts).toHaveLength(1)
  })

  test('a single one: one message about one file', async () => {
    await using world = await openNotifyInstance()
    const { upload, deliver } = await world.startProcess()
    await upload('one.png', 422)
    world.clock.now += 2 * MINUTE
    await deliver()
    expect(world.sentTexts).toEqual([
      'Fundus: 1 Datei hochgeladen, zusammen 422 Byte, von Spielserver\n• one.png',
    ])
  })

  test('a notice or message from before the clock was set back is sent', async () => {
    await using world = await openNotifyInstance()
    const { upload, deliver } = await world.startProcess()
    await upload('one.png', 422)
    world.clock.now -= 365 * 24 * 60 * MINUTE
    world.chat.answer = async () => new Response(null, { status: 500 })
    await deliver()
    expect(world.sentTexts).toHaveLength(1)
    world.chat.answer = async () => new Response(null, { status: 204 })
    world.clock.now -= 24 * 60 * MINUTE
    await deliver()
    expect(world.sentTexts).toHaveLength(2)
  })

  test('every upload moves the end, however long it goes on', async () => {
    await using world = await openNotifyInstance()
    const { upload, deliver } = await world.startProcess()
    for (let round = 0; round < 30; round++) {
      await upload('again.png', 10)
      world.clock.now += 2 * MINUTE - 1
      await deliver()
    }
    expect(world.sentTexts).toEqual([])
    world.clock.now += 1
    await deliver()
    expect(world.sentTexts).toHaveLength(1)
    expect(world.sentTexts[0]).toContain('30 Dateien')
  })

  test('the first five paths, then how many more; ten senders, each once, then "others"', async () => {
    await using world = await openNotifyInstance()
    const { upload, deliver } = await world.startProcess()
    for (let at = 1; at <= 24; at++) await upload(`p${at}.png`, 1, `T${Math.ceil(at / 2)}`)
    world.clock.now += 2 * MINUTE
    await deliver()
    expect(world.sentTexts[0]?.split('\n')).toEqual([
      'Fundus: 24 Dateien hochgeladen, zusammen 24 Byte, von T1, T2, T3, T4, T5, T6, T7, T8, T9, T10 und anderen',
      ...[1, 2, 3, 4, 5].map(at => `• p${at}.png`),
      '… und 19 weitere',
    ])
  })

  test('senders are told apart by their whole name, and written in one line', async () => {
    await using world = await openNotifyInstance()
    const { upload, deliver } = await world.startProcess()
    for (const name of ['Spiel Bot', 'Bot', 'Spiel', 'Bot\nBot', 'Bot', "O'Bot %"])
      await upload('a.png', 1, name)
    world.clock.now += 2 * MINUTE
    await deliver()
    expect(world.sentTexts[0]?.split('\n')[0]).toEndWith("von Spiel Bot, Bot, Spiel, Bot Bot, O'Bot %")
  })

  test('what comes after the message was made begins anew', async () => {
    await using world = await openNotifyInstance()
    const one = await world.startProcess()
    await one.upload('early.png')
    world.clock.now += 2 * MINUTE
    world.chat.answer = async () => {
      await one.upload('late.png')
      return new Response(null, { status: 204 })
    }
    await one.deliver()
    world.chat.answer = async () => new Response(null, { status: 204 })
    world.clock.now += 2 * MINUTE
    await one.deliver()
    expect(world.sentTexts.map(text => text.split('\n')[1])).toEqual(['• early.png', '• late.png'])
  })
})

test('uploads in the dashboard are in no message', async () => {
  await using world = await openNotifyInstance()
  const { upload, uploadByAccount, deliver } = await world.startProcess()
  await uploadByAccount('by-hand.png')
  world.clock.now += 2 * MINUTE
  await deliver()
  expect(world.sentTexts).toEqual([])
  await upload('by-token.png')
  await uploadByAccount('by-hand-too.png')
  world.clock.now += 2 * MINUTE
  await deliver()
  expect(world.sentTexts).toEqual([expect.stringContaining('1 Datei hochgeladen')])
  expect(world.sentTexts[0]).toContain('by-token.png')
})

describe('whatever happens in between', () => {
  test('a restart: the message is overdue and sent at once', async () => {
    await using world = await openNotifyInstance()
    await (await world.startProcess()).upload('kept.png')
    world.clock.now += 60 * MINUTE
    await (await world.startProcess()).deliver()
    expect(world.sentTexts).toHaveLength(1)
  })

  test('several instances: one message', async () => {
    await using world = await openNotifyInstance()
    const instances = await Promise.all(Array.from({ length: 4 }, world.startProcess))
    await Promise.all(instances.map((each, at) => each.upload(`${at}.png`)))
    world.clock.now += 2 * MINUTE
    // The chat answers only after all other instances have found nothing to do.
    const others = Promise.withResolvers<void>()
    let done = 0
    world.chat.answer = () => others.promise.then(() => new Response())
    await Promise.all(
      instances.map(async each => {
        await each.deliver()
        if (++done === instances.length - 1) others.resolve()
      }),
    )
    await Promise.all(instances.map(each => each.deliver()))
    expect(world.sentTexts).toHaveLength(1)
    expect(world.sentTexts[0]).toContain('4 Dateien')
  })

  test.each([
    ['no address', { WEBHOOK_URL: '' }],
    ['the occasion is switched off', { WEBHOOK_ANLAESSE: 'platte,sicherung' }],
  ])('%s: nothing is gathered, and what was gathered is forgotten', async (_, environment) => {
    await using world = await openNotifyInstance()
    const { upload, deliver, database } = await world.startProcess()
    await upload('before.png')
    const before = { ...world.environment }
    Object.assign(world.environment, environment)
    await upload('while-off.png')
    world.clock.now += 2 * MINUTE
    await deliver()
    Object.assign(world.environment, { WEBHOOK_ANLAESSE: '' }, before)
    world.clock.now += 2 * MINUTE
    await deliver()
    expect(world.sentTexts).toEqual([])
    expect(await database.read.selectFrom('upload_notice').selectAll().execute()).toEqual([])
  })

  test('an upload that is rolled back is not told of', async () => {
    await using world = await openNotifyInstance()
    const { upload, deliver, database } = await world.startProcess()
    await database
      .transaction(async tx => {
        await tx.insertInto('upload_notice').values(NOTICE).execute()
        throw new Error('refused')
      })
      .catch(() => {})
    await upload('stored.png')
    world.clock.now += 2 * MINUTE
    await deliver()
    expect(world.sentTexts[0]).toContain('1 Datei ')
  })
})

const NOTICE = { nr: 1, files: 9, bytes: 9, senders: '', paths: '', due_at: 0 }

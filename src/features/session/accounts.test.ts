import { describe, expect, test } from 'bun:test'
import { openSessionInstance, operatorInput, type SessionInstance, valueOrStatus } from './testing.ts'

const PASSWORD = 'correct horse'
const NEW = 'another horse'

async function withMaxAndEve() {
  const instance = await openSessionInstance()
  const max = await instance.accounts.create(operatorInput('Max'))
  const eve = await instance.accounts.create(operatorInput('Eve'))
  return { instance, max, eve }
}
const begin = (instance: SessionInstance, benutzer: string, passwort = PASSWORD) =>
  instance.signIn({ benutzer, passwort }, 'here')
const holds = async (instance: SessionInstance, { secret }: { secret: string }) =>
  (await valueOrStatus(instance.sessions.authenticate([secret]))) !== 401

describe('names', () => {
  test.each(['Max', 'max', 'MAX'])('%s is taken when Max is there', async benutzer => {
    const { instance } = await withMaxAndEve()
    await using _ = instance
    expect(await valueOrStatus(instance.accounts.create(operatorInput(benutzer)))).toBe(409)
  })

  test('umlauts are lowered too', async () => {
    await using instance = await openSessionInstance()
    await instance.accounts.create(operatorInput('Österreich'))
    expect(await valueOrStatus(instance.accounts.create(operatorInput('österreich')))).toBe(409)
  })

  test('two at once: one of them', async () => {
    await using instance = await openSessionInstance()
    const both = ['max', 'MAX'].map(benutzer => instance.accounts.create(operatorInput(benutzer)))
    const outcomes = await Promise.all(both.map(valueOrStatus))
    expect(outcomes.filter(each => each === 409)).toHaveLength(1)
    expect(await instance.accounts.list()).toHaveLength(1)
  })
})

describe('deleting', () => {
  test('ends the sessions of that account and no others', async () => {
    const { instance, eve } = await withMaxAndEve()
    await using _ = instance
    const [ofMax, ofEve] = [await begin(instance, 'max'), await begin(instance, 'eve')]
    await instance.accounts.remove(eve.id)
    expect([await holds(instance, ofMax), await holds(instance, ofEve)]).toEqual([true, false])
    expect(await valueOrStatus(begin(instance, 'eve'))).toBe(401)
  })

  test('the last one stays, also when two are deleted at once', async () => {
    const { instance, max, eve } = await withMaxAndEve()
    await using _ = instance
    const outcomes = await Promise.all(
      [max, eve].map(({ id }) => valueOrStatus(instance.accounts.remove(id))),
    )
    expect(outcomes.filter(each => each === 409)).toHaveLength(1)
    expect(await instance.accounts.list()).toHaveLength(1)
  })

  test('one that is not there', async () => {
    const { instance } = await withMaxAndEve()
    await using _ = instance
    expect(await valueOrStatus(instance.accounts.remove('nothing'))).toBe(404)
  })
})

describe('changing the password', () => {
  test('ends every other session of the account, and only of that one', async () => {
    const { instance } = await withMaxAndEve()
    await using _ = instance
    const [own, second, ofEve] = [
      await begin(instance, 'max'),
      await begin(instance, 'max'),
      await begin(instance, 'eve'),
    ]
    await instance.accounts.changePassword(own.session, 'here', { alt: PASSWORD, neu: NEW })
    expect(await Promise.all([own, second, ofEve].map(each => holds(instance, each)))).toEqual([
      true,
      false,
      true,
    ])
    expect(await valueOrStatus(begin(instance, 'max'))).toBe(401)
    expect(await holds(instance, await begin(instance, 'max', NEW))).toBe(true)
  })

  test('a wrong old one changes nothing, ends nothing, and is locked after five', async () => {
    const { instance } = await withMaxAndEve()
    await using _ = instance
    const [own, second] = [await begin(instance, 'max'), await begin(instance, 'max')]
    const attempt = (alt: string) =>
      valueOrStatus(instance.accounts.changePassword(own.session, 'here', { alt, neu: NEW }))
    for (let n = 0; n < 5; n++) expect(await attempt('wrong')).toBe(403)
    expect(await attempt(PASSWORD)).toBe(429)
    expect(await valueOrStatus(begin(instance, 'max'))).toBe(429)
    instance.clock.now += 30_000
    expect(await holds(instance, await begin(instance, 'max'))).toBe(true)
    expect(await holds(instance, second)).toBe(true)
  })

  test('two at once: one of them', async () => {
    const { instance } = await withMaxAndEve()
    await using _ = instance
    const own = await begin(instance, 'max')
    const others = [instance.createProcess(), instance.createProcess()].map(({ accounts }, n) =>
      valueOrStatus(accounts.changePassword(own.session, 'here', { alt: PASSWORD, neu: `${NEW} ${n}` })),
    )
    const outcomes = await Promise.all(others)
    expect(outcomes.filter(each => each === 403)).toHaveLength(1)
  })
})

describe('resetting the password, as the operator', () => {
  test('ends every session, opens the locks of that name everywhere, and only those', async () => {
    const { instance } = await withMaxAndEve()
    await using _ = instance
    const own = await begin(instance, 'max')
    const wrong = (benutzer: string, client: string) =>
      valueOrStatus(instance.signIn({ benutzer, passwort: 'wrong' }, client))
    for (const client of ['here', 'there'])
      for (let n = 0; n < 6; n++) for (const name of ['max', 'eve']) await wrong(name, client)
    await instance.accounts.resetPassword('MAX', NEW)
    expect(await holds(instance, own)).toBe(false)
    for (const client of ['here', 'there']) {
      expect(await wrong('eve', client)).toBe(429)
      expect(await instance.signIn({ benutzer: 'max', passwort: NEW }, client)).toMatchObject({
        secret: expect.any(String),
      })
    }
  })

  test('of nobody', async () => {
    await using instance = await openSessionInstance()
    expect(await valueOrStatus(instance.accounts.resetPassword('nobody', NEW))).toBe(404)
  })
})

import { describe, expect, test } from 'bun:test'
import { openSessionInstance, outcome, type SessionInstance } from './testing.ts'

const PASSWORD = 'correct horse'
const NEW = 'another horse'

async function withMaxAndEve() {
  const house = await openSessionInstance()
  const max = await house.accounts.create({ benutzer: 'Max', passwort: PASSWORD })
  const eve = await house.accounts.create({ benutzer: 'Eve', passwort: PASSWORD })
  return { house, max, eve }
}
const begin = (house: SessionInstance, benutzer: string, passwort = PASSWORD) =>
  house.signIn({ benutzer, passwort }, 'here')
const holds = async (house: SessionInstance, { secret }: { secret: string }) =>
  (await outcome(house.sessions.authenticate([secret]))) !== 401

describe('names', () => {
  test.each(['Max', 'max', 'MAX'])('%s is taken when Max is there', async benutzer => {
    const { house } = await withMaxAndEve()
    await using _ = house
    expect(await outcome(house.accounts.create({ benutzer, passwort: PASSWORD }))).toBe(409)
  })

  test('umlauts are lowered too', async () => {
    await using house = await openSessionInstance()
    await house.accounts.create({ benutzer: 'Österreich', passwort: PASSWORD })
    expect(await outcome(house.accounts.create({ benutzer: 'österreich', passwort: PASSWORD }))).toBe(409)
  })

  test('two at once: one of them', async () => {
    await using house = await openSessionInstance()
    const both = ['max', 'MAX'].map(benutzer => house.accounts.create({ benutzer, passwort: PASSWORD }))
    const outcomes = await Promise.all(both.map(outcome))
    expect(outcomes.filter(each => each === 409)).toHaveLength(1)
    expect(await house.accounts.list()).toHaveLength(1)
  })
})

describe('deleting', () => {
  test('ends the sessions of that account and no others', async () => {
    const { house, eve } = await withMaxAndEve()
    await using _ = house
    const [ofMax, ofEve] = [await begin(house, 'max'), await begin(house, 'eve')]
    await house.accounts.remove(eve.id)
    expect([await holds(house, ofMax), await holds(house, ofEve)]).toEqual([true, false])
    expect(await outcome(begin(house, 'eve'))).toBe(401)
  })

  test('the last one stays, also when two are deleted at once', async () => {
    const { house, max, eve } = await withMaxAndEve()
    await using _ = house
    const outcomes = await Promise.all([max, eve].map(({ id }) => outcome(house.accounts.remove(id))))
    expect(outcomes.filter(each => each === 409)).toHaveLength(1)
    expect(await house.accounts.list()).toHaveLength(1)
  })

  test('one that is not there', async () => {
    const { house } = await withMaxAndEve()
    await using _ = house
    expect(await outcome(house.accounts.remove('nothing'))).toBe(404)
  })
})

describe('changing the password', () => {
  test('ends every other session of the account, and only of that one', async () => {
    const { house } = await withMaxAndEve()
    await using _ = house
    const [own, second, ofEve] = [
      await begin(house, 'max'),
      await begin(house, 'max'),
      await begin(house, 'eve'),
    ]
    await house.accounts.changePassword(own.session, 'here', { alt: PASSWORD, neu: NEW })
    expect(await Promise.all([own, second, ofEve].map(each => holds(house, each)))).toEqual([
      true,
      false,
      true,
    ])
    expect(await outcome(begin(house, 'max'))).toBe(401)
    expect(await holds(house, await begin(house, 'max', NEW))).toBe(true)
  })

  test('a wrong old one changes nothing, ends nothing, and is locked after five', async () => {
    const { house } = await withMaxAndEve()
    await using _ = house
    const [own, second] = [await begin(house, 'max'), await begin(house, 'max')]
    const attempt = (alt: string) =>
      outcome(house.accounts.changePassword(own.session, 'here', { alt, neu: NEW }))
    for (let n = 0; n < 5; n++) expect(await attempt('wrong')).toBe(403)
    expect(await attempt(PASSWORD)).toBe(429)
    expect(await outcome(begin(house, 'max'))).toBe(429)
    house.clock.now += 30_000
    expect(await holds(house, await begin(house, 'max'))).toBe(true)
    expect(await holds(house, second)).toBe(true)
  })

  test('two at once: one of them', async () => {
    const { house } = await withMaxAndEve()
    await using _ = house
    const own = await begin(house, 'max')
    const others = [house.instance(), house.instance()].map(({ accounts }, n) =>
      outcome(accounts.changePassword(own.session, 'here', { alt: PASSWORD, neu: `${NEW} ${n}` })),
    )
    const outcomes = await Promise.all(others)
    expect(outcomes.filter(each => each === 403)).toHaveLength(1)
  })
})

describe('resetting the password, as the operator', () => {
  test('ends every session, opens the locks of that name everywhere, and only those', async () => {
    const { house } = await withMaxAndEve()
    await using _ = house
    const own = await begin(house, 'max')
    const wrong = (benutzer: string, client: string) =>
      outcome(house.signIn({ benutzer, passwort: 'wrong' }, client))
    for (const client of ['here', 'there'])
      for (let n = 0; n < 6; n++) for (const name of ['max', 'eve']) await wrong(name, client)
    await house.accounts.resetPassword('MAX', NEW)
    expect(await holds(house, own)).toBe(false)
    for (const client of ['here', 'there']) {
      expect(await wrong('eve', client)).toBe(429)
      expect(await house.signIn({ benutzer: 'max', passwort: NEW }, client)).toMatchObject({
        secret: expect.any(String),
      })
    }
  })

  test('of nobody', async () => {
    await using house = await openSessionInstance()
    expect(await outcome(house.accounts.resetPassword('nobody', NEW))).toBe(404)
  })
})

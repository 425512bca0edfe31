import { describe, expect, test } from 'bun:test'
import { nextTurn } from '../../../../test/support/wait.ts'
import { fakeArgon, valueOrStatus } from '../testing.ts'
import { createPasswords, DUMMY_HASH } from './passwords.ts'

describe('argon2id', () => {
  const passwords = createPasswords(Bun.password)

  test('the right password, a wrong one, and nobody', async () => {
    const hash = await passwords.hash('correct horse')
    expect(await passwords.verify('correct horse', hash)).toBe(true)
    expect(await passwords.verify('correct horsf', hash)).toBe(false)
    expect(await passwords.verify('correct horse', null)).toBe(false)
  })

  test("nobody's hash costs what any other costs", async () => {
    const cost = (hash: string) => hash.split('$').slice(0, 4)
    expect(cost(DUMMY_HASH)).toEqual(cost(await passwords.hash('correct horse')))
    expect(cost(DUMMY_HASH)).toEqual(['', 'argon2id', 'v=19', 'm=19456,t=2,p=1'])
  })

  test('the same umlaut in two spellings is one password', async () => {
    const hash = await passwords.hash('Schl\u00fcssel bund')
    expect(await passwords.verify('Schlu\u0308ssel bund', hash)).toBe(true)
  })
})

describe('with a hash that is watched', () => {
  test('for an unknown name one is computed too, and its outcome does not count', async () => {
    const { argon, verifiedHashes } = fakeArgon()
    const passwords = createPasswords({ ...argon, verify: async (_, hash) => verifiedHashes.push(hash) > 0 })
    expect(await passwords.verify('x', null)).toBe(false)
    expect(verifiedHashes).toEqual([DUMMY_HASH])
  })

  test('never more than two at once, all in the end, also when some fail', async () => {
    let running = 0
    let most = 0
    let done = 0
    const passwords = createPasswords({
      hash: async () => 'x',
      async verify(password) {
        most = Math.max(most, ++running)
        await nextTurn()
        running--
        done++
        if (password === 'broken') throw new Error('broken')
        return true
      },
    })
    const all = Array.from({ length: 20 }, (_, n) => passwords.verify(n % 3 === 0 ? 'broken' : 'x', 'y'))
    await Promise.allSettled(all)
    expect({ most, done, running }).toEqual({ most: 2, done: 20, running: 0 })
  })

  test('networks take turns: one that fills its places holds up another for a single computation', async () => {
    const order: string[] = []
    const argon = {
      ...fakeArgon().argon,
      verify: (name: string) => nextTurn().then(() => order.push(name) > 0),
    }
    const passwords = createPasswords(argon, 2)
    const tryFrom = (client: string) => passwords.admit(client, ({ verify }) => verify(client, 'y'))
    await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => tryFrom(`192.0.2.${n}`)),
      tryFrom('198.51.100.1'),
    ])
    expect(order.indexOf('198.51.100.1')).toBeLessThan(3)
    expect(order).toHaveLength(9)
  })

  describe('attempts at the same time', () => {
    const crowd = async (clients: string[]) => {
      const passwords = createPasswords(fakeArgon().argon)
      const { promise, resolve } = Promise.withResolvers<void>()
      const under = clients.map(client => passwords.admit(client, () => promise))
      const tryFrom = (client: string) => valueOrStatus(passwords.admit(client, async () => 'in'))
      const end = async () => {
        resolve()
        await Promise.all(under)
      }
      return { tryFrom, end }
    }
    const times = <T>(length: number, make: (n: number) => T) => Array.from({ length }, (_, n) => make(n))

    test.each<[string, (n: number) => string, string, string]>([
      ['an IPv4 network', n => `192.0.2.${n}`, '192.0.2.255', '192.0.3.1'],
      ['one address', () => '192.0.2.1', '192.0.2.1', '192.0.12.1'],
      ['an IPv6 network', () => '2001:db8:0:1::/64', '2001:db8:0:1::/64', '2001:db8:0:2::/64'],
      ['a socket that is gone', () => 'unbekannt', 'unbekannt', '192.0.2.1'],
    ])("%s fills its own ten places and nobody else's", async (_, client, same, other) => {
      const { tryFrom, end } = await crowd(times(10, client))
      expect(await tryFrom(same)).toBe(429)
      expect(await tryFrom(other)).toBe('in')
      await end()
      expect(await tryFrom(same)).toBe('in')
    })

    test('the 65th in all is sent away; when one has ended the next gets in', async () => {
      const { tryFrom, end } = await crowd(times(64, n => `192.0.${n}.1`))
      expect(await tryFrom('198.51.100.1')).toBe(429)
      await end()
      expect(await tryFrom('198.51.100.1')).toBe('in')
    })
  })
})

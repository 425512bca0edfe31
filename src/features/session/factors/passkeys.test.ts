import { describe, expect, test } from 'bun:test'
import { type AuthenticatorFacts, createAuthenticator } from '../../../../test/support/authenticator.ts'
import type { Credential } from '../../../contract/accounts/factors.ts'
import {
  openSessionInstance,
  operatorInput,
  type SessionInstance,
  valueOrStatus,
  visitorAt,
} from '../testing.ts'
import { relyingPartyOf } from './relying-party.ts'

const ORIGIN = 'https://fundus.example'

async function withAccount() {
  const instance = await openSessionInstance()
  return { instance, account: await instance.accounts.create(operatorInput('Max')) }
}

type Account = Awaited<ReturnType<typeof withAccount>>['account']

async function add(
  { passkeys }: SessionInstance,
  account: Account,
  facts: Partial<AuthenticatorFacts> = {},
  name = 'Laptop',
) {
  const authenticator = createAuthenticator({ origin: ORIGIN, ...facts })
  const options = await passkeys.creationOptions(account)
  const passkey = await passkeys.add(account, name, authenticator.create(options) as Credential)
  return { ...passkey, authenticator }
}

const signIn = async ({ passkeys }: Pick<SessionInstance, 'passkeys'>, answer: unknown) =>
  valueOrStatus(
    passkeys.signIn(answer as Credential, visitorAt('here')).then(({ session }) => session.account.name),
  )

const optionsOf = ({ passkeys }: SessionInstance) => passkeys.requestOptions()

test('the options ask for discoverable passkeys with user verification, without attestation', async () => {
  const { instance, account } = await withAccount()
  await using _ = instance
  await add(instance, account)
  const options = await instance.passkeys.creationOptions(account)
  expect(options).toMatchObject({
    rp: { id: 'fundus.example', name: 'Fundus' },
    user: { name: 'Max' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ type: 'public-key' }],
  })
  expect(await optionsOf(instance)).toMatchObject({ rpId: 'fundus.example', userVerification: 'required' })
  expect((await optionsOf(instance)).allowCredentials ?? []).toEqual([])
})

test('two passkeys of an account sign in; a removed one and an unknown one do not', async () => {
  const { instance, account } = await withAccount()
  await using _ = instance
  const laptop = await add(instance, account)
  instance.clock.now++
  const phone = await add(instance, account, {}, 'Handy')
  expect((await instance.passkeys.list(account)).map(({ name }) => name)).toEqual(['Laptop', 'Handy'])
  for (const { authenticator } of [laptop, phone])
    expect(await signIn(instance, authenticator.get(await optionsOf(instance)))).toBe('Max')
  await instance.passkeys.remove(account, laptop.id)
  expect(await signIn(instance, laptop.authenticator.get(await optionsOf(instance)))).toBe(401)
  expect(await signIn(instance, phone.authenticator.get(await optionsOf(instance)))).toBe('Max')
  const stranger = createAuthenticator({ origin: ORIGIN })
  expect(await signIn(instance, stranger.get(await optionsOf(instance)))).toBe(401)
  expect(await valueOrStatus(instance.passkeys.remove(account, laptop.id))).toBe(404)
})

test('a copy is refused: its counter is not ahead', async () => {
  const { instance, account } = await withAccount()
  await using _ = instance
  const { authenticator } = await add(instance, account)
  for (let n = 0; n < 3; n++)
    expect(await signIn(instance, authenticator.get(await optionsOf(instance)))).toBe('Max')
  authenticator.state.counter = 1
  expect(await signIn(instance, authenticator.get(await optionsOf(instance)))).toBe(401)
  authenticator.state.counter = 3
  expect(await signIn(instance, authenticator.get(await optionsOf(instance)))).toBe('Max')
})

test('authenticators without a counter always send 0', async () => {
  const { instance, account } = await withAccount()
  await using _ = instance
  const { authenticator } = await add(instance, account)
  for (let n = 0; n < 3; n++) {
    authenticator.state.counter = -1
    expect(await signIn(instance, authenticator.get(await optionsOf(instance)))).toBe('Max')
  }
})

describe('a challenge', () => {
  test('counts once, of 50 answers at once in two processes too', async () => {
    const { instance, account } = await withAccount()
    await using _ = instance
    const { authenticator } = await add(instance, account)
    const answer = authenticator.get(await optionsOf(instance))
    const processes = [instance, instance.createProcess()]
    const answers = Array.from({ length: 50 }, (_, at) => signIn(processes[at % 2]!, answer))
    const outcomes = await Promise.all(answers)
    expect(outcomes.filter(each => each === 'Max')).toHaveLength(1)
    expect(outcomes.filter(each => each === 401)).toHaveLength(49)
  })

  test('lasts five minutes, and is forgotten afterwards', async () => {
    const { instance, account } = await withAccount()
    await using _ = instance
    const { authenticator } = await add(instance, account)
    const early = await optionsOf(instance)
    const late = await optionsOf(instance)
    instance.clock.now += 5 * 60_000 - 1
    expect(await signIn(instance, authenticator.get(early))).toBe('Max')
    instance.clock.now += 1
    expect(await signIn(instance, authenticator.get(late))).toBe(401)
    instance.clock.now += 5 * 60_000
    await instance.removeExpiredChallenges()
    expect(await instance.database.read.selectFrom('spent_challenge').selectAll().execute()).toEqual([])
  })

  test('for creating does not sign in, nor create for another account', async () => {
    const { instance, account } = await withAccount()
    await using _ = instance
    const { authenticator } = await add(instance, account)
    const options = await instance.passkeys.creationOptions(account)
    expect(await signIn(instance, authenticator.get(options))).toBe(401)
    const other = await instance.accounts.create(operatorInput('Other'))
    const answer = createAuthenticator({ origin: ORIGIN }).create(options) as Credential
    expect(await valueOrStatus(instance.passkeys.add(other, 'x', answer))).toBe(400)
    await instance.passkeys.add(account, 'x', answer)
    expect(await valueOrStatus(instance.passkeys.add(account, 'x', answer))).toBe(400)
  })
})

describe('refused', () => {
  test.each<[string, Partial<AuthenticatorFacts>]>([
    ['without user verification', { isVerified: false }],
    ['from another origin', { origin: 'https://fundus.example.evil.test', rpId: 'fundus.example' }],
    ['for another host', { rpId: 'example' }],
  ])('%s', async (_, facts) => {
    const { instance, account } = await withAccount()
    await using __ = instance
    expect(await valueOrStatus(add(instance, account, facts))).toBe(400)
    expect(await instance.passkeys.list(account)).toEqual([])
  })

  test('a changed signature', async () => {
    const { instance, account } = await withAccount()
    await using _ = instance
    const { authenticator } = await add(instance, account)
    const answer = authenticator.get(await optionsOf(instance)) as { response: { signature: string } }
    answer.response.signature = answer.response.signature.replace(/.{4}$/, 'AAAA')
    expect(await signIn(instance, answer)).toBe(401)
  })
})

test('passkeys are renamed and removed by their owner alone', async () => {
  const { instance, account } = await withAccount()
  await using _ = instance
  const { id } = await add(instance, account)
  const other = await instance.accounts.create(operatorInput('Other'))
  expect(await valueOrStatus(instance.passkeys.rename(other, id, 'x'))).toBe(404)
  expect(await valueOrStatus(instance.passkeys.remove(other, id))).toBe(404)
  await instance.passkeys.rename(account, id, 'Büro')
  expect(await instance.passkeys.list(account)).toMatchObject([{ id, name: 'Büro' }])
})

describe('where a browser has passkeys', () => {
  test.each([
    ['https://media.example.org', 'media.example.org'],
    ['https://media.example.org:8443/base', 'media.example.org'],
    ['http://localhost:3000', 'localhost'],
    ['http://fundus.localhost', 'fundus.localhost'],
    ['http://media.example.org', null],
    ['https://192.0.2.1', null],
    ['http://127.0.0.1:3000', null],
    ['https://[2001:db8::1]', null],
  ])('%s: %p', (address, host) => {
    expect(relyingPartyOf(address)?.id ?? null).toBe(host)
  })
})

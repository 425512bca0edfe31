import { describe, expect, test } from 'bun:test'
import { Failure } from '../../errors.ts'
import { NOBODYS_HASH } from './passwords.ts'
import { openSessionInstance, outcome, START } from './testing.ts'

const max = { benutzer: 'Max', passwort: 'correct horse' }

test('an unknown name and a wrong password: the same words, one hash each', async () => {
  await using house = await openSessionInstance()
  await house.accounts.create(max)
  const sentences: string[] = []
  for (const input of [
    { ...max, passwort: 'wrong horse' },
    { ...max, benutzer: 'nobody' },
  ]) {
    const refused = await house.signIn(input, 'here').catch(error => error as Failure)
    if (!(refused instanceof Failure)) throw new Error('signed in')
    expect(refused.status).toBe(401)
    sentences.push(refused.sentence)
  }
  expect(sentences[0]).toBe(sentences[1]!)
  expect(house.verified).toEqual(['hash of correct horse', NOBODYS_HASH])
})

test('unknown names are locked like known ones, and a locked attempt computes nothing', async () => {
  await using house = await openSessionInstance()
  for (const benutzer of ['max', 'nobody']) {
    house.verified.length = 0
    const statuses = []
    for (let n = 0; n < 7; n++)
      statuses.push(await outcome(house.signIn({ benutzer, passwort: 'x' }, 'here')))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect(house.verified).toHaveLength(5)
  }
})

test('the name counts in any case, and the time is noted', async () => {
  await using house = await openSessionInstance()
  await house.accounts.create(max)
  expect((await house.accounts.list())[0]!.signedInAt).toBeNull()
  house.clock.now += 5000
  const { session } = await house.signIn({ ...max, benutzer: 'mAx' }, 'here')
  expect(session.account.name).toBe('Max')
  expect((await house.accounts.list())[0]!.signedInAt).toBe(START + 5000)
})

describe('what happens while the password is being checked', () => {
  test.each<[string, (house: Awaited<ReturnType<typeof openSessionInstance>>, id: string) => Promise<void>]>([
    ['it is changed', house => house.accounts.resetPassword('max', 'another horse')],
    ['the account is deleted', (house, id) => house.accounts.remove(id)],
  ])('%s: no session begins', async (_, meanwhile) => {
    await using house = await openSessionInstance()
    const { id } = await house.accounts.create(max)
    await house.accounts.create({ ...max, benutzer: 'other' })
    const verify = house.argon.verify
    house.argon.verify = async (password, hash) => {
      const right = await verify(password, hash)
      await meanwhile(house, id)
      return right
    }
    expect(await outcome(house.signIn(max, 'here'))).toBe(401)
    expect(await house.database.read.selectFrom('session').selectAll().execute()).toEqual([])
  })
})

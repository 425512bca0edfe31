import { describe, expect, test } from 'bun:test'
import { Failure } from '../../../errors/errors.ts'
import { openSessionInstance, operatorInput, START, valueOrStatus } from '../testing.ts'
import { DUMMY_HASH } from './passwords.ts'

const max = { benutzer: 'Max', passwort: 'correct horse' }

test('an unknown name and a wrong password: the same words, one hash each', async () => {
  await using instance = await openSessionInstance()
  await instance.accounts.create(operatorInput('Max'))
  const sentences: string[] = []
  for (const input of [
    { ...max, passwort: 'wrong horse' },
    { ...max, benutzer: 'nobody' },
  ]) {
    const refused = await instance.signIn(input, 'here').catch(error => error as Failure)
    if (!(refused instanceof Failure)) throw new Error('signed in')
    expect(refused.status).toBe(401)
    sentences.push(refused.sentence)
  }
  expect(sentences[0]).toBe(sentences[1]!)
  expect(instance.verifiedHashes).toEqual(['hash of correct horse', DUMMY_HASH])
})

test('unknown names are locked like known ones, and a locked attempt computes nothing', async () => {
  await using instance = await openSessionInstance()
  for (const benutzer of ['max', 'nobody']) {
    instance.verifiedHashes.length = 0
    const statuses = []
    for (let n = 0; n < 7; n++)
      statuses.push(await valueOrStatus(instance.signIn({ benutzer, passwort: 'x' }, 'here')))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect(instance.verifiedHashes).toHaveLength(5)
  }
})

test('the name counts in any case, and the time is noted', async () => {
  await using instance = await openSessionInstance()
  await instance.accounts.create(operatorInput('Max'))
  expect((await instance.accounts.list())[0]!.signed_in_at).toBeNull()
  instance.clock.now += 5000
  const { session } = await instance.signIn({ ...max, benutzer: 'mAx' }, 'here')
  expect(session.account.name).toBe('Max')
  expect((await instance.accounts.list())[0]!.signed_in_at).toBe(START + 5000)
})

describe('what happens while the password is being checked', () => {
  test.each<
    [string, (instance: Awaited<ReturnType<typeof openSessionInstance>>, id: string) => Promise<unknown>]
  >([
    ['it is changed', instance => instance.accounts.resetPassword('max', 'another horse')],
    ['the account is deleted', (instance, id) => instance.accounts.remove(id)],
  ])('%s: no session begins', async (_, meanwhile) => {
    await using instance = await openSessionInstance()
    const { id } = await instance.accounts.create(operatorInput('Max'))
    await instance.accounts.create(operatorInput('other'))
    const verify = instance.argon.verify
    instance.argon.verify = async (password, hash) => {
      const right = await verify(password, hash)
      await meanwhile(instance, id)
      return right
    }
    expect(await valueOrStatus(instance.signIn(max, 'here'))).toBe(401)
    expect(await instance.database.read.selectFrom('session').selectAll().execute()).toEqual([])
  })
})

import { expect, test } from 'bun:test'
import { SEEN_INTERVAL } from './last-seen.ts'
import { publicSessionId } from './sessions.ts'
import { openSessionInstance, operatorInput, type SessionInstance, START, visitorAt } from './testing.ts'

const PHONE = { address: '203.0.113.7', program: 'a phone' }

async function signedIn(instance: SessionInstance) {
  await instance.accounts.create(operatorInput('max'))
  return instance.signIn({ benutzer: 'max', passwort: 'correct horse' }, 'here')
}

const stored = ({ database }: SessionInstance) =>
  database.read.selectFrom('session').select(['seen_at', 'address', 'program']).executeTakeFirstOrThrow()

test('signing in stores the device; a use within five minutes writes nothing, a later one its time and device', async () => {
  await using instance = await openSessionInstance()
  const { sessions, clock } = instance
  const { secret, session } = await signedIn(instance)
  const atFirst = { seen_at: START, ...visitorAt('here').device }
  expect(await stored(instance)).toEqual(atFirst)
  clock.now += SEEN_INTERVAL - 1
  await sessions.authenticate([secret], PHONE)
  await sessions.flush()
  expect(await stored(instance)).toEqual(atFirst)
  clock.now += 1
  await sessions.authenticate([secret], PHONE)
  expect(await stored(instance)).toEqual(atFirst)
  // The use is shown here before it is written to the database.
  expect(await sessions.list(session.account)).toEqual([
    { ...PHONE, id: publicSessionId(session.id), usedAt: clock.now, begunAt: START },
  ])
  await sessions.flush()
  expect(await stored(instance)).toEqual({ seen_at: clock.now, ...PHONE })
})

test('a time that a clock ahead has written is replaced at the next use', async () => {
  await using instance = await openSessionInstance()
  const { sessions, clock } = instance
  const { secret } = await signedIn(instance)
  clock.now -= SEEN_INTERVAL
  await sessions.authenticate([secret], PHONE)
  await sessions.flush()
  expect(await stored(instance)).toEqual({ seen_at: clock.now, ...PHONE })
})

test('a session of an earlier version goes on: listed by its start, its device known from the next use', async () => {
  await using instance = await openSessionInstance()
  const { sessions, clock } = instance
  const { secret, session } = await signedIn(instance)
  const unknown = { seen_at: null, address: null, program: null }
  await instance.database.transaction(tx => tx.updateTable('session').set(unknown).execute())
  const listed = { id: publicSessionId(session.id), begunAt: START }
  expect(await sessions.list(session.account)).toEqual([
    { ...listed, usedAt: START, address: null, program: null },
  ])
  clock.now += 1
  await sessions.authenticate([secret], PHONE)
  await sessions.flush()
  expect(await stored(instance)).toEqual({ seen_at: clock.now, ...PHONE })
})

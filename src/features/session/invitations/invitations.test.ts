import { expect, test } from 'bun:test'
import { DAY } from '../../../contract/values/units.ts'
import {
  openSessionInstance,
  operatorInput,
  type SessionInstance,
  valueOrStatus,
  visitorAt,
} from '../testing.ts'

const INVITED = { rolle: 'ansicht', ordner: ['items'], gueltig_tage: 7 } as const
const guest = (code: string, benutzer = 'Nora') => ({ code, benutzer, passwort: 'correct horse' })

async function openInvitations() {
  const instance = await openSessionInstance()
  await instance.accounts.create(operatorInput('Max'))
  return instance
}
const invite = ({ invitations }: SessionInstance) => invitations.create({ ...INVITED, ordner: ['items'] })

test('only the hash of the code is stored', async () => {
  await using instance = await openInvitations()
  const { code } = await invite(instance)
  const stored = JSON.stringify(await instance.database.read.selectFrom('invitation').selectAll().execute())
  expect(stored).not.toContain(code)
})

test('valid until its last moment, then refused like an unknown one; the job removes it', async () => {
  await using instance = await openInvitations()
  const { invitations, clock } = instance
  const [first, second] = [await invite(instance), await invite(instance)]
  clock.now += 7 * DAY - 1
  expect(await invitations.accept(guest(first.code), visitorAt('here'))).toHaveProperty('secret')
  clock.now += 1
  expect(await invitations.list()).toEqual([])
  expect(await valueOrStatus(invitations.accept(guest(second.code, 'Eve'), visitorAt('here')))).toBe(403)
  await invitations.removeExpired()
  expect(await instance.database.read.selectFrom('invitation').selectAll().execute()).toEqual([])
})

test('accepted at once on two instances it makes one account', async () => {
  await using instance = await openInvitations()
  const { code } = await invite(instance)
  const [one, other] = [instance.createProcess(), instance.createProcess()]
  const results = await Promise.all(
    [one, other, one, other].map(({ invitations }, n) =>
      valueOrStatus(invitations.accept(guest(code, `guest ${n}`), visitorAt(`address ${n}`))),
    ),
  )
  expect(results.filter(result => result === 403)).toHaveLength(3)
  expect(await instance.accounts.list()).toHaveLength(2)
})

test('an invitation that goes while the password is being hashed makes no account', async () => {
  await using instance = await openInvitations()
  const { id, code } = await invite(instance)
  const { hash } = instance.argon
  instance.argon.hash = async (...given) => {
    await instance.invitations.withdraw(id, 'operator')
    return hash(...given)
  }
  expect(await valueOrStatus(instance.invitations.accept(guest(code), visitorAt('here')))).toBe(403)
  expect(await instance.accounts.list()).toHaveLength(1)
})

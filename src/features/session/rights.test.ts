import { describe, expect, test } from 'bun:test'
import { openSessionInstance, operatorInput, type SessionInstance, valueOrStatus } from './testing.ts'

const LIMITED = { ...operatorInput('eve'), rolle: 'redaktion', ordner: ['a', 'b/c'] } as const

async function withMaxAndEve() {
  const instance = await openSessionInstance()
  const max = await instance.accounts.create(operatorInput('max'))
  const eve = await instance.accounts.create({ ...LIMITED, ordner: [...LIMITED.ordner] })
  return { instance, max, eve }
}
const signIn = (instance: SessionInstance, benutzer: string) =>
  instance.signIn({ benutzer, passwort: 'correct horse' }, 'here')

describe('role and folders', () => {
  test('belong to every session, as they are at the request', async () => {
    const { instance, eve } = await withMaxAndEve()
    await using _ = instance
    const { secret } = await signIn(instance, 'eve')
    const account = async () => (await instance.sessions.authenticate([secret])).account
    expect(await account()).toEqual({ id: eve.id, name: 'eve', role: 'redaktion', folders: ['a', 'b/c'] })
    // Writes as another process would: this process is not told, so it ends no session.
    await instance.database.transaction(async tx => {
      await tx
        .updateTable('account')
        .set({ role: 'ansicht', folders: '["d"]' })
        .where('id', '=', eve.id)
        .execute()
    })
    expect(await account()).toMatchObject({ role: 'ansicht', folders: ['d'] })
  })

  test('a change ends the sessions of that account and of no other, and is recorded', async () => {
    const { instance, eve } = await withMaxAndEve()
    await using _ = instance
    const [ofMax, ofEve] = [await signIn(instance, 'max'), await signIn(instance, 'eve')]
    expect(await instance.accounts.change(eve.id, { rolle: 'ansicht' }, { account: 'max' })).toMatchObject({
      role: 'ansicht',
      folders: ['a', 'b/c'],
    })
    expect(await valueOrStatus(instance.sessions.authenticate([ofEve.secret]))).toBe(401)
    await instance.sessions.authenticate([ofMax.secret])
    const entries = await instance.database.read
      .selectFrom('administration')
      .selectAll()
      .orderBy('nr', 'desc')
      .execute()
    expect(entries[0]).toMatchObject({
      what: 'konto_geaendert',
      who: 'max',
      old: 'eve rolle=redaktion ordner=a,b/c',
      new: 'eve rolle=ansicht ordner=a,b/c',
    })
  })

  test('a new password by an operator ends the sessions too, and the old one no longer signs in', async () => {
    const { instance, eve } = await withMaxAndEve()
    await using _ = instance
    const { secret } = await signIn(instance, 'eve')
    await instance.accounts.change(eve.id, { passwort: 'another horse' })
    expect(await valueOrStatus(instance.sessions.authenticate([secret]))).toBe(401)
    expect(await valueOrStatus(signIn(instance, 'eve'))).toBe(401)
    await instance.signIn({ benutzer: 'eve', passwort: 'another horse' }, 'here')
  })

  test('an operator has no limits: becoming one removes them, and setting them is refused', async () => {
    const { instance, max, eve } = await withMaxAndEve()
    await using _ = instance
    for (const [id, patch] of [
      [max.id, { ordner: ['a'] }],
      [eve.id, { rolle: 'betreiber' as const, ordner: ['a'] }],
    ] as const)
      expect(await valueOrStatus(instance.accounts.change(id, { ...patch, ordner: [...patch.ordner] }))).toBe(
        400,
      )
    expect(await valueOrStatus(instance.accounts.create({ ...operatorInput('ivy'), ordner: ['a'] }))).toBe(
      400,
    )
    expect(await instance.accounts.change(eve.id, { rolle: 'betreiber' })).toMatchObject({ folders: null })
    expect(await valueOrStatus(instance.accounts.change('nobody', {}))).toBe(404)
  })
})

describe('the last operator', () => {
  test('can be neither deleted nor lowered while there are other accounts', async () => {
    const { instance, max } = await withMaxAndEve()
    await using _ = instance
    expect(await valueOrStatus(instance.accounts.remove(max.id))).toBe(409)
    expect(await valueOrStatus(instance.accounts.change(max.id, { rolle: 'redaktion' }))).toBe(409)
    expect(await valueOrStatus(instance.accounts.change(max.id, { passwort: 'another horse' }))).not.toBe(409)
  })

  test('stays when both are lowered or deleted at once, in two processes', async () => {
    for (const lower of [true, false]) {
      const { instance, max, eve } = await withMaxAndEve()
      await using _ = instance
      await instance.accounts.change(eve.id, { rolle: 'betreiber' })
      const { change, remove } = instance.createProcess().accounts
      const outcomes = await Promise.all([
        valueOrStatus(instance.accounts.change(max.id, { rolle: 'ansicht' })),
        lower ? valueOrStatus(change(eve.id, { rolle: 'redaktion' })) : valueOrStatus(remove(eve.id)),
      ])
      expect(outcomes.filter(each => each === 409)).toHaveLength(1)
      const roles = (await instance.accounts.list()).map(({ role }) => role)
      expect(roles.filter(role => role === 'betreiber')).toHaveLength(1)
    }
  })
})

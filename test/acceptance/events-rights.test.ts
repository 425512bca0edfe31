/** Event streams of accounts whose role, folders or second factor change while their page is open. */
import { beforeAll, expect, test } from 'bun:test'
import { answered, store } from '../support/api.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { useListeners } from '../support/events.ts'
import { addPasskey } from '../support/factors.ts'
import { signedInService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

// A look takes long enough for a change of rights and what follows it to be found by one and the same.
const on = signedInService({ delays: { changeCheck: 1_500 } })
const listen = useListeners()
const passwort = 'a password of some length'
let made = 0

beforeAll(async () => {
  // For the test in which all accounts must have a second factor.
  await addPasskey(on.service, on.session)
})

async function newAccount(rights: object) {
  const account = { benutzer: `account ${++made}`, passwort }
  const json = { ...account, ...rights }
  const { id } = await answered<{ id: string }>(
    await dash(on.service, 'benutzer', { json, session: on.session }),
  )
  return { id, session: await signIn(on.service, account) }
}
const asAdmin = (route: string, json: unknown, method = 'POST') =>
  dash(on.service, route, { method, json, session: on.session })
const put = (path: string) => store(on.service, on.token, path, 'content')

test('what happens after a right was taken away is not told any more', async () => {
  const { id, session } = await newAccount({ rolle: 'ansicht', ordner: ['a', 'b'] })
  const [stream, admin] = [await listen(on.service, session), await listen(on.service, on.session)]
  await put('a/before.bin')
  await eventually('an event', () => stream.text().includes('a/before.bin'))
  await answered(await asAdmin(`benutzer/${id}`, { ordner: ['b'] }, 'PATCH'))
  await put('a/after.bin')
  await eventually('the others hear it', () => admin.text().includes('a/after.bin'))
  await eventually('the stream has ended', stream.ended)
  expect(stream.text()).not.toContain('after')
})

test('when the folder of an account is renamed, its open stream follows and hears nothing of a new folder there', async () => {
  await put('club/team/a.bin')
  const { session } = await newAccount({ rolle: 'ansicht', ordner: ['club/team'] })
  const [stream, admin] = [await listen(on.service, session), await listen(on.service, on.session)]
  await answered(await asAdmin('folders/umbenennen', { ordner: 'club', name: 'club2' }))
  await put('club/team/of-others.bin')
  await put('club2/team/own.bin')
  await eventually('its own file', () => stream.text().includes('club2/team/own.bin'))
  await eventually('the others hear both', () => admin.text().includes('of-others'))
  expect(stream.text()).not.toContain('of-others')
})

test('an account that lacks a second factor which it now must have hears nothing more', async () => {
  const { session } = await newAccount({ rolle: 'redaktion' })
  const [stream, admin] = [await listen(on.service, session), await listen(on.service, on.session)]
  try {
    await answered(await asAdmin('einstellungen', { ZWEITER_FAKTOR: 'alle' }, 'PUT'))
    await put('factor/a.bin')
    await eventually('the others hear it', () => admin.text().includes('factor/a.bin'))
    await eventually('the stream has ended', stream.ended)
    expect(stream.text()).not.toContain('factor/a.bin')
  } finally {
    await answered(await asAdmin('einstellungen', { ZWEITER_FAKTOR: null }, 'PUT'))
  }
})

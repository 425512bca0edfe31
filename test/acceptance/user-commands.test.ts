/** `fundus user` beside a running service: role and folders, sessions, invitations. */
import { expect, test } from 'bun:test'
import { ADMIN_ENV, commandWithInput, dash, isSignedIn, signIn } from '../support/dashboard.ts'
import { keepSecret } from '../support/secrets.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService({ env: { ...ADMIN_ENV, PUBLIC_URL: 'https://media.example.test' } })
const NORA = { benutzer: 'Nora', passwort: 'a password of some length' }
const account = async (name: string) => {
  const { stdout } = await on.service.command('user', 'list', '--json')
  const { role, folders } = (JSON.parse(stdout) as Record<string, unknown>[]).find(
    each => each.name === name,
  )!
  return { role, folders }
}

test('an account is added with role and folders, changed, and its sessions are ended', async () => {
  const add = ['user', 'add', '--name', 'Nora', '--role', 'redaktion', '--folder', 'items', '--folder', 'b']
  expect((await commandWithInput(on.service, NORA.passwort, ...add)).code).toBe(0)
  expect(await account('Nora')).toEqual({ role: 'redaktion', folders: ['b', 'items'] })
  const session = await signIn(on.service, NORA)

  const role = await on.service.command('user', 'role', '--name', 'nora', '--role', 'ansicht')
  expect(role.stdout).toContain('ansicht')
  expect(await account('Nora')).toEqual({ role: 'ansicht', folders: ['b', 'items'] })
  expect(await isSignedIn(on.service, session)).toBe(false)
  expect((await on.service.command('user', 'role', '--name', 'Nora', '--all-folders')).code).toBe(0)
  expect(await account('Nora')).toEqual({ role: 'ansicht', folders: null })
  expect((await on.service.command('user', 'list')).stdout).toMatch(/Nora +ansicht;/)

  const next = await signIn(on.service, NORA)
  expect((await on.service.command('user', 'sessions', 'end', '--name', 'Nora')).code).toBe(0)
  expect(await isSignedIn(on.service, next)).toBe(false)
})

test('without a role an operator is made, as before there were roles', async () => {
  await commandWithInput(on.service, NORA.passwort, 'user', 'create', '--name', 'Boss')
  expect(await account('Boss')).toEqual({ role: 'betreiber', folders: null })
})

test('an invitation is printed as a link that works', async () => {
  const invite = ['user', 'invite', '--role', 'ansicht', '--folder', 'items', '--days', '1', '--json']
  const { stdout } = await on.service.command(...invite)
  const { address } = JSON.parse(stdout) as { address: string }
  expect(address).toStartWith('https://media.example.test/einladung#code=')
  const code = keepSecret('an invitation', address.slice(address.indexOf('=') + 1))
  const json = { code, benutzer: 'guest', passwort: NORA.passwort }
  expect((await dash(on.service, 'einladung', { json })).status).toBe(200)
  expect(await account('guest')).toEqual({ role: 'ansicht', folders: ['items'] })
})

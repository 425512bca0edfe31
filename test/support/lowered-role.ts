/** A role that is lowered at one process, seen at all: requests and event streams. */
import { expect } from 'bun:test'
import { answered, store } from './api.ts'
import { dash, sessionOf, signIn } from './dashboard.ts'
import type { useListeners } from './events.ts'
import { signInAt } from './external-sign-in.ts'
import { type Oidc, oidcEnv } from './oidc.ts'
import type { Service } from './service.ts'
import { eventually } from './wait.ts'

interface Place {
  url: string
}

interface Scene {
  service: Service
  /** The instances, or one address that several workers serve. */
  places: readonly Place[]
  oidc: Oidc
  listen: ReturnType<typeof useListeners>
}

/** Requests to each place: with several workers, each connection reaches any of them. */
const TIMES = 12

const RULES = [
  { anspruch: 'groups', wert: 'leitung', rolle: 'betreiber' },
  { anspruch: 'groups', wert: 'helfer', rolle: 'ansicht', ordner: ['helfer'] },
]
export const loweredRoleEnv = (oidc: Oidc) => ({ ...oidcEnv(oidc), OIDC_REGELN: JSON.stringify(RULES) })

const passwort = 'a password of some length'

async function statusesOf(places: readonly Place[], route: string, session: string) {
  const asked = places.flatMap(place =>
    Array.from({ length: TIMES }, async () => {
      const headers = { Cookie: `fundus_sitzung=${session}` }
      return (await fetch(`${place.url}/api/dash/${route}`, { headers, keepalive: false })).status
    }),
  )
  return [...new Set(await Promise.all(asked))]
}

/** An operator lowers the account: its sessions have ended everywhere, and a new one may do less. */
export async function expectLoweredByOperator({ service, places }: Scene): Promise<void> {
  const admin = await signIn(service)
  const account = { benutzer: 'lowered', passwort, rolle: 'betreiber' }
  const { id } = await answered<{ id: string }>(
    await dash(places[0]!, 'benutzer', { json: account, session: admin }),
  )
  const session = await signIn(service, account)
  expect(await statusesOf(places, 'einstellungen', session)).toEqual([200])
  const json = { rolle: 'redaktion', ordner: ['own'] }
  await answered(await dash(places.at(-1)!, `benutzer/${id}`, { method: 'PATCH', json, session: admin }))
  expect(await statusesOf(places, 'ich', session)).toEqual([401])
  const again = await signIn(service, account)
  expect(await statusesOf(places, 'einstellungen', again)).toEqual([403])
  expect(await statusesOf(places, 'media?ordner=other', again)).toEqual([403])
  expect(await statusesOf(places, 'papierkorb', again)).toEqual([200])
  const { code } = await service.command('user', 'role', '--name', account.benutzer, '--role', 'ansicht')
  expect(code).toBe(0)
  expect(await statusesOf(places, 'ich', again)).toEqual([401])
}

/** A provider lowers the account; its sessions go on and may do less, and open streams hear less. */
export async function expectLoweredByProvider({ service, places, oidc, listen }: Scene): Promise<void> {
  const token = await service.createToken()
  oidc.state.person = { sub: 'lowered', preferred_username: 'lena', groups: ['leitung'] }
  const session = sessionOf(await signInAt(places[0]!, 'oidc'))
  expect(await statusesOf(places, 'einstellungen', session)).toEqual([200])
  const streams = await Promise.all(
    places.flatMap(place => Array.from({ length: 4 }, () => listen(place as Service, session))),
  )
  oidc.state.person.groups = ['helfer']
  expect((await signInAt(places.at(-1)!, 'oidc')).status).toBe(303)
  for (const path of ['other/a.bin', 'helfer/b.bin']) await store(service, token, path, 'content')
  expect(await statusesOf(places, 'einstellungen', session)).toEqual([403])
  expect(await statusesOf(places, 'media?ordner=other', session)).toEqual([403])
  expect(await statusesOf(places, 'media', session)).toEqual([200])
  for (const stream of streams) {
    await eventually('an event of the own folder', () => stream.text().includes('helfer/b.bin'))
    expect(stream.text()).not.toMatch(/other\/a|verwaltung/)
  }
}

/**
 * What an account limited to a folder may do: every dashboard route of the API document is called for a
 * target inside the folder, outside, missing outside, and at a name that only begins alike (`kiosk2` is not
 * in `kiosk`). No answer names anything outside. `access.test.ts` covers the roles without a limit.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { makeDrop } from '../support/drops.ts'
import { field, filePart } from '../support/ingest.ts'
import { png } from '../support/pictures.ts'
import { bodyOf, type RouteRequest, sendRequest } from '../support/route-requests.ts'
import { share } from '../support/shares.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { throwAway } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'

/**
 * Statuses for an editor with the folder `kiosk`. `-`: the request names no target. Operators' routes have no
 * row.
 */
const TABLE = `
                                                inside outside absent beside
DELETE /api/dash/abgaben/{schluessel}              200     404    404    404
GET    /api/dash/abgaben                           200       -      -      -
POST   /api/dash/abgaben                           200     403    403    403
GET    /api/dash/aufnahme/{pfad}                   200     403    403    403
GET    /api/dash/ereignisse                        200       -      -      -
GET    /api/dash/export                            200     403    403    403
POST   /api/dash/export                            200     403    403    403
POST   /api/dash/fehlende                          200     403    403    403
GET    /api/dash/folders                           200       -      -      -
POST   /api/dash/folders/loeschen                  200     403    403    403
POST   /api/dash/folders/umbenennen                200     403    403    403
POST   /api/dash/folders/verschieben               200     403    403    403
DELETE /api/dash/freigaben                         200     404    404    404
GET    /api/dash/freigaben                         200       -      -      -
PATCH  /api/dash/freigaben                         200     404    404    404
POST   /api/dash/freigaben                         200     403    403    403
GET    /api/dash/fristen                           200       -      -      -
GET    /api/dash/fristen/datei/{pfad}              200     403    403    403
GET    /api/dash/fristen/termine                   200       -      -      -
GET    /api/dash/herunterladen                     200     403    403    403
POST   /api/dash/herunterladen                     200     403    403    403
GET    /api/dash/ich                               200       -      -      -
GET    /api/dash/inhalt/{pfad}                     200     403    403    403
POST   /api/dash/logout                            200       -      -      -
GET    /api/dash/media                             200     403    403    403
POST   /api/dash/media/ersetzen                    200     403    403    403
POST   /api/dash/media/loeschen                    200     403    403    403
POST   /api/dash/media/umbenennen                  200     403    403    403
POST   /api/dash/media/verschieben                 200     403    403    403
POST   /api/dash/media/vorhanden                   200     403    403    403
GET    /api/dash/media/{pfad}                      200     403    403    403
GET    /api/dash/papierkorb                        200     403    403    403
GET    /api/dash/papierkorb/inhalt/{nr}            200     404    404    404
POST   /api/dash/papierkorb/leeren                 200     200    200    200
GET    /api/dash/papierkorb/vorschau/{nr}          200     404    404    404
POST   /api/dash/papierkorb/wiederherstellen       200     200    200    200
POST   /api/dash/passwort                          403       -      -      -
GET    /api/dash/statistik                         200     403    403    403
GET    /api/dash/statistik/datei/{pfad}            200     403    403    403
GET    /api/dash/uebersicht                        200       -      -      -
GET    /api/dash/tus                               200       -      -      -
POST   /api/dash/tus                               201     403    403    403
POST   /api/dash/upload                            200     403    403    403
POST   /api/dash/upload-url                        400     403    403    403
GET    /api/dash/verlauf                           200     403    403    403
GET    /api/dash/verlauf/datei/{pfad}              200     403    403    403
GET    /api/dash/verlauf/export                    200     403    403    403
POST   /api/dash/verlauf/zuruecknehmen             200     404    404    404
GET    /api/dash/vorschau/{pfad}                   200     403    403    403
`
/**
 * Routes for one's own account, sessions, bookmarks and unfinished uploads; `bookmarks.test.ts` limits pinned
 * folders.
 */
const OWN = /^\w+ \/api\/dash\/(?:merkzettel|passkeys|sitzungen|totp|tus\/\{id\})/
const FOLDERS = { inside: 'kiosk', outside: 'vault', absent: 'vault', beside: 'kiosk2' } as const
type Where = keyof typeof FOLDERS
const WHERE = Object.keys(FOLDERS) as Where[]
/** What no answer to limited accounts may contain. */
const HIDDEN = /vault|kiosk2/

const ROWS = TABLE.trim()
  .split('\n')
  .slice(1)
  .map(line => {
    const [method, path, ...statuses] = line.split(/ +/)
    return { route: `${method} ${path}`, statuses: statuses.map(Number) }
  })

const on = sharedServiceWithAdmin()
const passwort = 'a password of some length'
let token = ''
let roles = new Map<string, string>()
const sessions = { editor: '', viewer: '' }
const shown: Partial<Record<Where, string>> = {}
const trashed: Partial<Record<Where, number>> = {}
let made = 0

async function accountWith(rights: object): Promise<{ id: string; session: string }> {
  const account = { benutzer: `account ${++made}`, passwort }
  const response = await dash(on.service, 'benutzer', {
    json: { ...account, ...rights },
    session: on.admin.session,
  })
  expect(response.status).toBe(200)
  return { id: ((await response.json()) as { id: string }).id, session: await signIn(on.service, account) }
}

/** A new folder with one file, unless the target should be missing. */
async function newFile(where: Where): Promise<string> {
  const path = `${FOLDERS[where]}/${++made}/a.bin`
  if (where !== 'absent') await store(on.service, token, path, 'content')
  return path
}
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

beforeAll(async () => {
  const { paths } = (await (await fetch(`${on.service.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { 'x-role'?: string }>>
  }
  roles = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { 'x-role': role }]) =>
        role ? [[`${method.toUpperCase()} ${path}`, role] as const] : [],
      ),
    ),
  )
  token = (await on.admin.create({ darf_loeschen: true })).token
  for (const where of ['inside', 'outside', 'beside'] as const) {
    const path = `${FOLDERS[where]}/shown.png`
    const image = await png()
    for (const each of [path, `${FOLDERS[where]}/trashed.png`]) {
      await store(on.service, token, each, image)
      await eventually('a preview', async () => (await fetch(`${on.service.url}/t/${each}.webp`)).ok)
    }
    shown[where] = path
    const [nr] = await throwAway(on.service, on.admin.session, `${FOLDERS[where]}/trashed.png`)
    trashed[where] = nr!
  }
  shown.absent = 'vault/none.png'
  trashed.absent = 999_999
  sessions.editor = (await accountWith({ rolle: 'redaktion', ordner: ['kiosk'] })).session
  sessions.viewer = (await accountWith({ rolle: 'ansicht', ordner: ['kiosk/'] })).session
})

/** The request to a route for a target at this place. */
async function requestFor(route: string, where: Where): Promise<RouteRequest> {
  const { session } = on.admin
  const fresh = () => newFile(where)
  const folder = async () => folderOf(await fresh())
  const pathsField = async () => field('pfade', JSON.stringify([await fresh()]))
  const name = route.slice(route.indexOf('/api/dash/') + '/api/dash/'.length)
  if (name === 'vorschau/{pfad}') return { param: `${shown[where]}.webp` }
  if (name.endsWith('{pfad}')) return { param: shown[where]! }
  if (name.endsWith('{nr}')) return { param: trashed[where]! }
  switch (route.replace('/api/dash/', '')) {
    case 'GET export':
      return { query: `format=json&folder=${await folder()}` }
    case 'POST export':
      return { form: [field('format', 'json'), await pathsField()] }
    case 'POST herunterladen':
      return { form: [await pathsField()] }
    case 'GET herunterladen':
    case 'GET media':
    case 'GET statistik':
      return { query: `ordner=${await folder()}` }
    case 'GET papierkorb':
    case 'GET verlauf':
    case 'GET verlauf/export':
      return { query: `pfad=${await fresh()}` }
    case 'POST fehlende':
      return { json: { muster: `${await folder()}/*.bin`, namen: ['a', 'b'] } }
    case 'POST folders/loeschen':
    case 'POST freigaben':
    case 'POST abgaben':
      return { json: { ordner: await folder() } }
    case 'POST folders/umbenennen':
      return { json: { ordner: await folder(), name: `new${++made}` } }
    case 'POST folders/verschieben':
      return { json: { ordner: await folder(), ziel: 'kiosk/moved' } }
    case 'DELETE freigaben':
    case 'PATCH freigaben':
      return {
        ...(route.startsWith('PATCH') && { json: { gueltig_bis: null } }),
        query: `schluessel=${where === 'absent' ? 'none' : (await share(on.service, session, await folder())).schluessel}`,
      }
    case 'DELETE abgaben/{schluessel}':
      return {
        param:
          where === 'absent'
            ? 'none'
            : (await makeDrop(on.service, session, { ordner: await folder() })).schluessel,
      }
    case 'POST media/ersetzen':
      return { json: { suche: 'a.bin', ersatz: 'b.bin', pfade: [await fresh()], ausfuehren: true } }
    case 'POST media/loeschen':
    case 'POST media/vorhanden':
      return { json: { pfade: [await fresh()] } }
    case 'POST media/umbenennen':
      return { json: { pfad: await fresh(), name: 'b.bin' } }
    case 'POST media/verschieben':
      return { json: { pfade: [await fresh()], ordner: 'kiosk/moved' } }
    case 'POST papierkorb/leeren':
    case 'POST papierkorb/wiederherstellen':
      return {
        json: {
          nummern: where === 'absent' ? [999_999] : await throwAway(on.service, session, await fresh()),
        },
      }
    case 'POST tus': {
      const path = Buffer.from(`${await folder()}/tus.bin`).toString('base64')
      return {
        headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '5', 'Upload-Metadata': `pfad ${path}` },
      }
    }
    case 'POST upload':
      return { form: [field('ordner', await folder()), filePart(`${++made}.bin`, 'content')] }
    case 'POST upload-url':
      // An address that is refused for everybody.
      return { json: { url: 'http://127.0.0.1/a.bin', ordner: await folder() } }
    case 'POST verlauf/zuruecknehmen': {
      if (where === 'absent') return { json: { aktion: 'none' } }
      const json = { pfade: [await fresh()], ordner: `${FOLDERS[where]}/moved${++made}` }
      const moved = await dash(on.service, 'media/verschieben', { json, session })
      return { json: { aktion: moved.headers.get('x-aktion') } }
    }
    case 'POST passwort':
      return { json: { alt: 'wrong', neu: passwort } }
    case 'POST logout':
      return { session: (await accountWith({ rolle: 'ansicht', ordner: ['kiosk'] })).session }
    default:
      return {}
  }
}

async function ask(route: string, where: Where, session: string): Promise<Response> {
  const request = await requestFor(route, where)
  return sendRequest(on.service, route, request, {
    headers: { Cookie: `fundus_sitzung=${request.session ?? session}` },
  })
}

test('the table has a row for every route of the document that is not for operators alone', () => {
  const open = [...roles]
    .filter(([route, role]) => role !== 'betreiber' && !OWN.test(route))
    .map(([route]) => route)
  expect(ROWS.map(({ route }) => route).sort()).toEqual(open.sort())
})

describe('limited to a folder', () => {
  test.each(ROWS)('$route', async ({ route, statuses }) => {
    const wanted = WHERE.flatMap((where, at) =>
      Number.isNaN(statuses[at]) ? [] : [[where, statuses[at]!] as const],
    )
    const mayView = roles.get(route) === 'ansicht'
    for (const [role, session] of Object.entries(sessions)) {
      for (const [where, status] of wanted) {
        const answer = await ask(route, where, session)
        expect([role, where, answer.status]).toEqual([
          role,
          where,
          role === 'editor' || mayView ? status : 403,
        ])
        const text =
          answer.status === 403 ? JSON.stringify(await expectError(answer, 403)) : await bodyOf(answer)
        expect(text).not.toMatch(HIDDEN)
      }
    }
  })

  test('and nothing outside has changed', async () => {
    const { dateien } = (await (
      await dash(on.service, 'media?ordner=vault&unterordner=1&anzahl=200', { session: on.admin.session })
    ).json()) as { dateien: { path: string }[] }
    const names = new Set(dateien.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))
    expect([...names].sort()).toEqual(['a.bin', 'shown.png'])
  })
})

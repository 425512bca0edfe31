/**
 * For every route, a request that is granted to callers with the needed rights; what it refers to is created
 * first.
 */
import { type Body, type HeaderMap, store } from './api.ts'
import { backUp } from './backup.ts'
import { freshPng, put } from './compat.ts'
import { ADMIN, dash, signIn } from './dashboard.ts'
import { makeDrop } from './drops.ts'
import { answeredBy, begun } from './external-sign-in.ts'
import { addPasskey, answerOf, codeOf, newPasskey, passkeyAnswer, setUpTotp, stepOf } from './factors.ts'
import { field, filePart } from './ingest.ts'
import { media } from './media.ts'
import { MULTIPART, multipart, type Part } from './multipart.ts'
import { png } from './pictures.ts'
import type { Service } from './service.ts'
import { share } from './shares.ts'
import { makeTicket } from './tickets.ts'
import { tokenAdmin } from './token-admin.ts'
import { throwAway } from './trash.ts'
import { createUpload, creation, pieceAt, TUS } from './tus.ts'
import { eventually } from './wait.ts'

export interface RouteRequest {
  /** Replaces each `{…}` in the path, in order. */
  param?: string | number | readonly string[]
  query?: string
  json?: unknown
  form?: Part[]
  body?: Body
  headers?: HeaderMap
  /** Another session, if the request ends or changes the one it uses. */
  session?: string
}

type Ask = () => RouteRequest | Promise<RouteRequest>

/** A request for each route that needs more than its address; all others get a plain one. */
export async function routeRequests(service: Service, token: string): Promise<Record<string, Ask>> {
  const admin = await tokenAdmin(service)
  const { session } = admin
  let made = 0
  const newFolder = () => `access/${++made}`
  const newFile = async () => {
    const path = `${newFolder()}/a.bin`
    await store(service, token, path, 'content')
    return path
  }
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
  const newAccount = async () => {
    const json = { benutzer: `account ${++made}`, passwort: ADMIN.passwort }
    const { id } = (await (await dash(service, 'benutzer', { json, session })).json()) as { id: string }
    return { ...json, id }
  }
  const newSession = async () => signIn(service, await newAccount())
  const newOwnPasskey = async () => {
    const own = await newSession()
    return { session: own, param: (await addPasskey(service, own)).id }
  }
  const passkey = await addPasskey(service, await newSession())
  /** Steps and codes for signing in, ten for one account. */
  const codes: { schritt: string; code: string }[] = []
  const newCode = async () => {
    if (codes.length === 0) {
      const account = await newAccount()
      const made = await setUpTotp(service, await signIn(service, account))
      const schritt = await stepOf(service, account)
      codes.push(...made.codes.map(code => ({ schritt, code })))
    }
    return codes.pop()!
  }
  const newInvitation = async () => {
    const invited = await dash(service, 'einladungen', { json: { rolle: 'ansicht' }, session })
    const { id, adresse } = (await invited.json()) as { id: string; adresse: string }
    return { id, code: adresse.slice(adresse.indexOf('=') + 1) }
  }
  /** Two files with the same new content. */
  const newPair = async () => {
    const folder = newFolder()
    for (const name of ['a.txt', 'b.txt']) await store(service, token, `${folder}/${name}`, folder)
    const sha256 = new Bun.CryptoHasher('sha256').update(folder).digest('hex')
    return { sha256, behalten: `${folder}/a.txt`, dateien: 2 }
  }
  const newTrash = async () => (await throwAway(service, session, await newFile()))[0]!
  const newUpload = async () => (await put(service, '/api/v3/file', token, [filePart('a.bin', 'id')])).id
  const newTicket = async () => {
    const { url } = await makeTicket(service, token, { ordner: newFolder() })
    return url.slice(url.lastIndexOf('/') + 1)
  }
  const newDrop = async () => (await makeDrop(service, session, { ordner: newFolder() })).schluessel
  const newAction = async () => {
    const json = { pfade: [await newFile()], ordner: newFolder() }
    return (await dash(service, 'media/verschieben', { json, session })).headers.get('x-aktion')
  }
  const picture = async (path: string) => {
    await store(service, token, path, await png())
    await eventually('a preview', async () => (await fetch(`${service.url}/t/${path}.webp`)).ok)
    return path
  }
  // The same bytes each time, so that there is one file to make a preview of.
  const image = await freshPng()
  const shown = await picture('shown.png')
  const [trashed] = await throwAway(service, session, await picture('trashed.png'))
  const { archiv } = await backUp(service, session)
  const { schluessel } = await share(service, session, folderOf(await newFile()))

  const formFor = (...more: Part[]) => ({ form: [field('pfade', JSON.stringify([shown])), ...more] })
  const upload = (content: Uint8Array | string) => ({ form: [filePart('a.bin', content)] })
  const newTus = () => ({ headers: creation(7, { pfad: `${newFolder()}/a.bin` }) })
  /** `ticket`: whether the address contains a ticket, a new one each time. */
  const tusRequests = (base: string, caller: HeaderMap, ticket = false): Record<string, Ask> => {
    const onPlace = async () => {
      const keys = ticket ? [await newTicket()] : []
      return { keys, at: base.replace('{schluessel}', keys[0] ?? '') }
    }
    const onUpload = (more: RouteRequest) => async () => {
      const { keys, at } = await onPlace()
      const { headers } = await createUpload(service, caller, newTus().headers, at)
      return { param: [...keys, headers.get('location')!.split('/').at(-1)!], ...more }
    }
    return {
      [`POST ${base}`]: async () => ({ param: (await onPlace()).keys, ...newTus() }),
      [`GET ${base}/{id}`]: onUpload({ headers: TUS }),
      [`PATCH ${base}/{id}`]: onUpload({ headers: pieceAt(0), body: 'content' }),
      [`DELETE ${base}/{id}`]: onUpload({ headers: TUS }),
      [`POST ${base}/{id}`]: onUpload({
        headers: { ...pieceAt(0), 'X-HTTP-Method-Override': 'PATCH' },
        body: 'content',
      }),
    }
  }
  const byId = async () => ({ param: await newUpload() })
  return {
    'POST /api/upload': () => ({ headers: { 'X-Path': `${newFolder()}/a.bin` }, body: 'content' }),
    ...tusRequests('/api/tus', { Authorization: `Bearer ${token}` }),
    ...tusRequests('/api/tickets/{schluessel}/tus', {}, true),
    ...tusRequests('/api/dash/tus', { Cookie: `fundus_sitzung=${session}` }),
    ...Object.fromEntries(
      ['POST', 'PUT'].map(method => [
        `${method} /api/tickets/{schluessel}`,
        async () => ({ param: await newTicket(), body: 'content' }),
      ]),
    ),
    'GET /api/exists': () => ({ query: `pfad=${shown}` }),
    'GET /api/exists/{pfad}': () => ({ param: shown }),
    'DELETE /api/media/{pfad}': async () => ({ param: await newFile() }),
    ...Object.fromEntries(
      ['/api', '/api/v2'].flatMap(base => [
        [`POST ${base}/image`, () => upload(image)],
        [`POST ${base}/video`, () => upload(media('clip.mp4'))],
        [`POST ${base}/audio`, () => upload(media('tone.mp3'))],
      ]),
    ),
    'POST /api/v3/file': () => upload('content'),
    'POST /api/v3/file/base64': () => ({ json: { base64: btoa('content') } }),
    ...Object.fromEntries(
      ['v3/file', 'image', 'image/delete', 'video', 'video/delete', 'audio', 'audio/delete'].map(name => [
        `DELETE /api/${name}/{id}`,
        byId,
      ]),
    ),
    'GET /b/{groesse}/{pfad}': () => ({ param: ['klein', shown] }),
    'GET /f/{pfad}': () => ({ param: shown }),
    'GET /t/{pfad}': () => ({ param: `${shown}.webp` }),
    'GET /s/{schluessel}': () => ({ param: schluessel }),
    'GET /s/{schluessel}/zip': () => ({ param: schluessel }),
    'GET /u/{schluessel}': async () => ({ param: await newDrop() }),
    'POST /u/{schluessel}': async () => ({ param: await newDrop(), ...upload('content') }),
    'POST /api/dash/abgaben': () => ({ json: { ordner: newFolder() } }),
    'DELETE /api/dash/abgaben/{schluessel}': async () => ({ param: await newDrop() }),
    // As another machine requests it.
    'GET /metrics': () => ({ headers: { 'X-Forwarded-For': '203.0.113.7' } }),
    'POST /api/dash/einrichtung': () => ({ json: { ...ADMIN, code: 'AAAA-BBBB-CCCC' } }),
    'POST /api/dash/login': () => ({ json: ADMIN }),
    'GET /api/dash/login/extern/{anbieter}': () => ({ param: 'oidc' }),
    // Refused for everybody, because the cookie of the browser that began is missing.
    'GET /api/dash/login/extern/{anbieter}/zurueck': () => ({ param: 'oidc' }),
    'POST /api/dash/login/extern/{anbieter}/probe': async () => {
      const { address, cookie } = await begun(service, 'oidc', '?probe=1')
      const antwort = String(await answeredBy(address))
      return { param: 'oidc', json: { antwort }, headers: { Cookie: cookie } }
    },
    'POST /api/dash/logout': async () => ({ session: await signIn(service) }),
    'POST /api/dash/passwort': async () => ({
      session: await signIn(service, await newAccount()),
      json: { alt: ADMIN.passwort, neu: `${ADMIN.passwort} staple` },
    }),
    'DELETE /api/dash/sitzungen': async () => ({ session: await signIn(service, await newAccount()) }),
    'DELETE /api/dash/sitzungen/{id}': async () => {
      const own = await signIn(service, await newAccount())
      const [{ id }] = (await (await dash(service, 'sitzungen', { session: own })).json()) as [{ id: string }]
      return { session: own, param: id }
    },
    'POST /api/dash/login/zweiter-faktor': async () => ({ json: await newCode() }),
    'POST /api/dash/login/passkey': async () => ({
      json: await passkeyAnswer(service, passkey.authenticator),
    }),
    'POST /api/dash/totp/bestaetigen': async () => {
      const own = await newSession()
      const { geheimnis } = await answerOf<{ geheimnis: string }>(
        dash(service, 'totp', { method: 'POST', session: own }),
      )
      return { session: own, json: { code: codeOf(geheimnis) } }
    },
    'DELETE /api/dash/totp': async () => {
      const own = await newSession()
      await setUpTotp(service, own)
      return { session: own, json: { passwort: ADMIN.passwort } }
    },
    'POST /api/dash/passkeys': async () => {
      const own = await newSession()
      return { session: own, json: (await newPasskey(service, own)).json }
    },
    'PATCH /api/dash/passkeys/{id}': async () => ({ ...(await newOwnPasskey()), json: { name: 'new' } }),
    'DELETE /api/dash/passkeys/{id}': () => newOwnPasskey(),
    'POST /api/dash/einladung': async () => ({
      json: { benutzer: `guest ${++made}`, passwort: ADMIN.passwort, code: (await newInvitation()).code },
    }),
    'POST /api/dash/einladungen': () => ({ json: { rolle: 'ansicht' } }),
    'DELETE /api/dash/einladungen/{id}': async () => ({ param: (await newInvitation()).id }),
    'POST /api/dash/benutzer': () => ({
      json: { benutzer: `account ${++made}`, passwort: ADMIN.passwort },
    }),
    'PATCH /api/dash/benutzer/{id}': async () => ({
      param: (await newAccount()).id,
      json: { rolle: 'ansicht' },
    }),
    'DELETE /api/dash/benutzer/{id}': async () => ({ param: (await newAccount()).id }),
    'POST /api/dash/tokens': () => ({ json: { name: 'test' } }),
    'PATCH /api/dash/tokens/{id}': async () => ({ param: (await admin.create()).id, json: { name: 'new' } }),
    'DELETE /api/dash/tokens/{id}': async () => ({ param: (await admin.create()).id }),
    'GET /api/dash/tokens/{id}/sharex': async () => ({ param: (await admin.create()).id }),
    'GET /api/dash/media/{pfad}': () => ({ param: shown }),
    'GET /api/dash/aufnahme/{pfad}': () => ({ param: shown }),
    'GET /api/dash/inhalt/{pfad}': () => ({ param: shown }),
    'GET /api/dash/vorschau/{pfad}': () => ({ param: `${shown}.webp` }),
    'GET /api/dash/statistik/datei/{pfad}': () => ({ param: shown }),
    'GET /api/dash/verlauf/datei/{pfad}': () => ({ param: shown }),
    'POST /api/dash/media/vorhanden': () => ({ json: { pfade: [shown] } }),
    'POST /api/dash/fehlende': () => ({ json: { muster: '*.png', namen: ['shown'] } }),
    'POST /api/dash/media/umbenennen': async () => ({ json: { pfad: await newFile(), name: 'b.bin' } }),
    'POST /api/dash/media/verschieben': async () => ({
      json: { pfade: [await newFile()], ordner: newFolder() },
    }),
    'POST /api/dash/media/loeschen': async () => ({ json: { pfade: [await newFile()] } }),
    'POST /api/dash/media/ersetzen': async () => ({
      json: { suche: 'a.bin', ersatz: 'b.bin', pfade: [await newFile()], ausfuehren: true },
    }),
    'POST /api/dash/folders/umbenennen': async () => ({
      json: { ordner: folderOf(await newFile()), name: `new${++made}` },
    }),
    'POST /api/dash/folders/verschieben': async () => ({
      json: { ordner: folderOf(await newFile()), ziel: 'moved' },
    }),
    'POST /api/dash/folders/loeschen': async () => ({ json: { ordner: folderOf(await newFile()) } }),
    'POST /api/dash/verlauf/zuruecknehmen': async () => ({ json: { aktion: await newAction() } }),
    'GET /api/dash/export': () => ({ query: 'format=json' }),
    'POST /api/dash/export': () => formFor(field('format', 'json')),
    'POST /api/dash/herunterladen': () => formFor(),
    'POST /api/dash/upload': () => ({ form: [field('ordner', newFolder()), filePart('a.bin', 'content')] }),
    // An address that is refused for everybody.
    'POST /api/dash/upload-url': () => ({ json: { url: 'http://127.0.0.1/a.bin', ordner: newFolder() } }),
    'GET /api/dash/papierkorb/vorschau/{nr}': () => ({ param: trashed! }),
    'GET /api/dash/papierkorb/inhalt/{nr}': () => ({ param: trashed! }),
    'POST /api/dash/papierkorb/wiederherstellen': async () => ({ json: { nummern: [await newTrash()] } }),
    'POST /api/dash/papierkorb/leeren': async () => ({ json: { nummern: [await newTrash()] } }),
    'POST /api/dash/freigaben': async () => ({ json: { ordner: folderOf(await newFile()) } }),
    'DELETE /api/dash/freigaben': async () => ({
      query: `schluessel=${(await share(service, session, folderOf(await newFile()))).schluessel}`,
    }),
    'PATCH /api/dash/freigaben': async () => ({
      query: `schluessel=${(await share(service, session, folderOf(await newFile()))).schluessel}`,
      json: { gueltig_bis: null },
    }),
    'POST /api/dash/maintenance/doppelte': async () => ({ json: { gruppen: [await newPair()] } }),
    'PUT /api/dash/merkzettel': () => ({ json: { ordner: [], filter: [] } }),
    'PUT /api/dash/fristen': () => ({ json: { regeln: [] } }),
    'POST /api/dash/fristen/probe': () => ({ json: { regeln: [{ ordner: '', tage: 1, ab: 'abgerufen' }] } }),
    'GET /api/dash/fristen/datei/{pfad}': () => ({ param: shown }),
    'PUT /api/dash/einstellungen': () => ({ json: { DIENST: 'Fundus' } }),
    'POST /api/dash/einstellungen/import': () => ({ json: { DIENST: 'Fundus' } }),
    'GET /api/dash/sicherung/archiv/{name}': () => ({ param: archiv! }),
    'GET /api/dash/sicherung/archiv/{name}/pruefsumme': () => ({ param: archiv! }),
  }
}

/** Sends the request for a route of the document, with the caller's additional headers and query. */
export function sendRequest(
  service: Service,
  route: string,
  { param, query, json, form, body, headers }: RouteRequest,
  caller: { headers: HeaderMap; query?: string },
): Promise<Response> {
  const [method = '', path = ''] = route.split(' ')
  const params = [param].flat()
  const address = path.replace(/\{\w+\}/g, () => String(params.shift()))
  const search = [query, caller.query].filter(Boolean).join('&')
  const sent = form ? multipart(form) : json === undefined ? body : JSON.stringify(json)
  return fetch(`${service.url}${address}${search && `?${search}`}`, {
    method,
    headers: {
      ...(form && MULTIPART),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
      ...caller.headers,
      ...(headers?.Cookie && { Cookie: [headers.Cookie, caller.headers.Cookie].filter(Boolean).join('; ') }),
    },
    redirect: 'manual',
    ...(sent !== undefined && { body: sent }),
  })
}

/** The bytes of an answer as text; nothing of an event stream, which has no end. */
export async function bodyOf(answer: Response): Promise<string> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return Buffer.from(await answer.arrayBuffer()).toString('latin1')
  await answer.body?.cancel()
  return ''
}

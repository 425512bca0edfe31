/**
 * Secrets: tokens, sessions, passwords, the chat's address, the key of `/metrics`, the set-up code. Uses
 * everything that the service does and searches everything that it writes. test/support/secrets.ts searches
 * the logs of all other tests.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backUp, saveSettings } from '../support/backup.ts'
import { sha256 } from '../support/bytes.ts'
import { CHAT_SECRET, openChat } from '../support/chat.ts'
import { ADMIN, ADMIN_ENV, dash, setupCode } from '../support/dashboard.ts'
import { DATABASE_FILE, databaseTexts } from '../support/data-folder.ts'
import { OIDC_CLIENT, oidcEnv, openOidc } from '../support/oidc.ts'
import { bodyOf, routeRequests, sendRequest } from '../support/route-requests.ts'
import { type Service, startService } from '../support/service.ts'
import { tokenAdmin } from '../support/token-admin.ts'

setDefaultTimeout(180_000)

const NAME = 'Nur einmal gezeigt'
const MISTAKEN = `media_${'mistaken'.repeat(5)}`
const MISTYPED = 'typed in the wrong field'
const IN_QUERY = 'key-that-nobody-may-read'
const METRICS_TOKEN = 'known-to-prometheus-only'

/**
 * Places where secrets must be; anywhere else they are a leak. The token's name shows that the search finds
 * what is there.
 */
const NEEDED = [
  'GET /api/dash/einstellungen/export?geheim=1: the address of the chat',
  'GET /api/dash/einstellungen/export?geheim=1: the client secret of the provider',
  'GET /api/dash/einstellungen/export?geheim=1: the key in the address of the chat',
  'archives: the address of the chat',
  'archives: the hash of the token',
  'archives: the key in the address of the chat',
  'archives: the name of the token',
  'database: the address of the chat',
  'database: the hash of the session',
  'database: the hash of the token',
  'database: the key in the address of the chat',
  'database: the name of the token',
]
/** Routes whose requests contain the token's name. */
const NAMED = /^(GET|PATCH) \/api\/dash\/(tokens|statistik|verwaltung|verlauf|tus)|^fundus token list/

/** Requests beyond one for each route of the document. */
const MORE = [
  'GET /metrics',
  'GET /status?streng=1',
  'GET /api/dash/einstellungen/export?geheim=1',
  'GET /api/dash/verlauf/export?was=verwaltung',
]
const COMMANDS = ['token list', 'token list --json', 'user list', 'settings list', 'doctor', 'check', 'sweep']

test('secrets are where they are needed, and in no log, answer, export, archive, file or output else', async () => {
  using chat = openChat()
  // A chat that repeats the parts of the request that it received.
  chat.answerWith(({ path, query }) =>
    Response.json({ path, parts: path.split('/'), query, values: [...new URLSearchParams(query).values()] }),
  )
  using oidc = await openOidc()
  await using service = await startService({
    env: { ...ADMIN_ENV, LOG_LEVEL: 'debug', METRICS_TOKEN, ...oidcEnv(oidc) },
  })
  const admin = await tokenAdmin(service)
  const { token } = await admin.create({ name: NAME, darf_loeschen: true })
  const { session } = admin
  await saveSettings(service, session, { WEBHOOK_URL: `${chat.url}?key=${IN_QUERY}` })
  const secrets = {
    'the token': token.slice('media_'.length),
    'the hash of the token': sha256(token),
    'the name of the token': NAME,
    'a wrong token': MISTAKEN,
    'the session': session,
    'the hash of the session': sha256(session),
    'a password': ADMIN.passwort,
    'a password for a name': MISTYPED,
    'the address of the chat': CHAT_SECRET,
    'the key in the address of the chat': IN_QUERY,
    'the key of /metrics': METRICS_TOKEN,
    'the client secret of the provider': OIDC_CLIENT.secret,
    ...(service.env.S3_SECRET_ACCESS_KEY && { 'the key of the store': service.env.S3_SECRET_ACCESS_KEY }),
  }

  const texts = await answersOf(service, { token, session })
  expect((await backUp(service, session)).ok).toBe(true)
  for (const command of COMMANDS) {
    const { stdout, stderr } = await service.command(...command.split(' '))
    texts.set(`fundus ${command}`, stdout + stderr)
  }
  await service.stop()
  texts.set('the log', service.output())
  for (const [where, text] of await storedTexts(service)) texts.set(where, text)
  await service.restart()

  const found = [...texts].flatMap(([where, text]) =>
    Object.entries(secrets).flatMap(([what, secret]) =>
      text.includes(secret) && !(secret === NAME && NAMED.test(where)) ? [`${where}: ${what}`] : [],
    ),
  )
  expect(found.sort()).toEqual(NEEDED)
})

/**
 * The answers of every route to a caller with all rights; each route is also called with secrets in wrong
 * places.
 */
async function answersOf(
  service: Service,
  { token, session }: { token: string; session: string },
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const requests = await routeRequests(service, token)
  const document = await (await fetch(`${service.url}/api/openapi.json`)).json()
  const { paths } = document as { paths: Record<string, object> }
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  const misplaced = {
    headers: { Cookie: `fundus_sitzung=${token}; a=${session}`, Authorization: MISTAKEN, 'X-Path': MISTAKEN },
    query: `apiKey=${token}&seite=${MISTAKEN}`,
  }
  for (const route of [...described, ...MORE]) {
    const request = (await requests[route]?.()) ?? {}
    const headers = {
      Cookie: `fundus_sitzung=${request.session ?? session}`,
      Authorization: `Bearer ${token}`,
    }
    const json = request.json && { [token]: MISTAKEN }
    await bodyOf(await sendRequest(service, route, { ...request, param: token, json }, misplaced))
    const answer = await sendRequest(service, route, request, { headers })
    const text = `${JSON.stringify([...answer.headers])}\n${await bodyOf(answer)}`
    // An archive is left out here, because its file on disk is searched below.
    if (!route.includes('/sicherung/archiv/')) texts.set(route, text)
  }
  for (const json of [
    { ...ADMIN, benutzer: MISTYPED },
    { benutzer: 'admin', passwort: MISTYPED },
  ])
    texts.set('a failed sign-in', await (await dash(service, 'login', { json })).text())
  return texts
}

/** Everything below the data folder, and every text of every table. */
async function storedTexts(service: Service): Promise<[where: string, text: string][]> {
  const entries = await readdir(service.dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const read = await Promise.all(
    files.map(async ({ parentPath, name }): Promise<[string, string]> => {
      const where = name.startsWith(DATABASE_FILE) ? 'database' : name.endsWith('.tar') ? 'archives' : 'files'
      return [where, await readFile(join(parentPath, name), 'latin1')]
    }),
  )
  for (const text of await databaseTexts(service.dataDir)) read.push(['database', text])
  return ['database', 'archives', 'files'].map(where => [
    where,
    read.flatMap(([at, text]) => (at === where ? [text] : [])).join('\n'),
  ])
}

test('the set-up code is in the log of a start; once it was used it is nowhere else', async () => {
  await using service = await startService()
  const code = setupCode(service)!
  const answers = [
    await dash(service, 'einrichtung'),
    await dash(service, 'einrichtung', { json: { ...ADMIN, code: `${code}x` } }),
    await dash(service, 'einrichtung', { json: { ...ADMIN, code } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 200])
  const texts = await Promise.all(answers.map(answer => answer.text()))
  for (const text of [...texts, ...(await databaseTexts(service.dataDir))]) expect(text).not.toContain(code)
})

/** Every kind of change that a client or an operator can request, each in a folder of its own. */
import type { Body, HeaderMap } from '../support/api.ts'
import { answered, remove, store, upload } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { file, post, postBase64, removeById } from '../support/compat.ts'
import { dash } from '../support/dashboard.ts'
import { type DashFile, field, filePart, send } from '../support/ingest.ts'
import { fileForm } from '../support/multipart.ts'
import type { Service } from '../support/service.ts'
import type { TokenOnWire } from '../support/token-admin.ts'
import { throwAway, trashOf } from '../support/trash.ts'
import { PATIENCE_MS } from '../support/wait.ts'
import { zip } from '../support/zip.ts'

/** One attempt. Compatibility routes store below `uploads/`, so every folder is there. */
export interface Round {
  service: Service
  token: string
  session: string
  /** Name of the folder below `uploads/`. */
  name: string
  folder: string
}

export const roundIn = (parts: Omit<Round, 'folder'>): Round => ({
  ...parts,
  folder: `uploads/${parts.name}`,
})

export interface Operation {
  name: string
  /** Creates what the operation changes; the result is passed to `run`. */
  prepare?(round: Round): Promise<unknown>
  run(round: Round, prepared: never): Promise<Response>
  /** Several files, each of which is stored or refused by itself. */
  isSeparate?: true
}

/** Longer than what is received as a whole, and several chunks of a stream. */
const LONG = randomBytes(7, 300_000)
/** The address from which the service can fetch `FETCHED`, in tests that allow it. */
export const FETCHED_ADDRESS = 'http://bilder.example/fetched.txt'
export const FETCHED = 'fetched from elsewhere'

const put = ({ service, token, folder }: Round, name: string, body: Body, headers: HeaderMap = {}) =>
  upload(service, token, body, { 'X-Path': `${folder}/${name}`, ...headers })
const stored = ({ service, token, folder }: Round, name: string, body: Body) =>
  store(service, token, `${folder}/${name}`, body)
const ask = ({ service, session }: Round, route: string, json: unknown, method = 'POST') =>
  dash(service, route, { method, json, session })

async function storeThree(round: Round): Promise<void> {
  for (const name of ['in/a.txt', 'in/deep/b.txt', 'in/deep/c.txt']) await stored(round, name, `old ${name}`)
}

export const UPLOADS: readonly Operation[] = [
  { name: 'upload, short', run: round => put(round, 'a.txt', 'short') },
  { name: 'upload, long', run: round => put(round, 'a.bin', LONG) },
  { name: 'upload, form', run: round => put(round, 'a.txt', fileForm('in a form')) },
  {
    name: 'upload, Base64',
    run: round => put(round, 'a.txt', Buffer.from('as text').toString('base64'), { 'X-Encoding': 'base64' }),
  },
  {
    name: 'upload, compatibility form',
    run: ({ service, token, name }) =>
      post(service, '/api/v3/file', token, [
        { name: 'path', content: name },
        file('file', 'compatible', { filename: 'a.txt' }),
      ]),
  },
  {
    name: 'upload, compatibility Base64',
    run: ({ service, token, name: path }) =>
      postBase64(service, token, { path, filename: 'a.txt', base64: Buffer.from(LONG).toString('base64') }),
  },
  {
    name: 'upload, several files in the dashboard',
    isSeparate: true,
    run: ({ service, session, folder }) =>
      send(service, session, [field('ordner', folder), filePart('a.txt', 'one'), filePart('b.bin', LONG)]),
  },
  {
    name: 'upload, ZIP',
    isSeparate: true,
    run: ({ service, session, folder }) => {
      const archive = zip([
        { name: 'a.txt', content: 'one' },
        { name: 'in/b.txt', content: 'two' },
      ])
      return send(service, session, [field('ordner', folder), filePart('paket.zip', archive)])
    },
  },
]

export const FETCH_URL: Operation = {
  name: 'upload, URL',
  run: round => ask(round, 'upload-url', { url: FETCHED_ADDRESS, ordner: round.folder }),
}

export const CHANGES: readonly Operation[] = [
  {
    name: 'overwrite, short',
    prepare: round => stored(round, 'a.txt', 'before'),
    run: round => put(round, 'a.txt', 'after'),
  },
  {
    name: 'overwrite, long',
    prepare: round => stored(round, 'a.bin', 'before'),
    run: round => put(round, 'a.bin', LONG),
  },
  {
    name: 'overwrite, keeping the file before',
    async prepare(round) {
      await ask(round, 'einstellungen', { UEBERSCHRIEBENE: 'alle' }, 'PUT')
      return stored(round, 'a.txt', 'before')
    },
    run: round => put(round, 'a.txt', 'after'),
  },
  {
    name: 'exchange with the trash',
    async prepare(round) {
      await stored(round, 'a.txt', 'first')
      const nummern = await throwAway(round.service, round.session, `${round.folder}/a.txt`)
      await stored(round, 'a.txt', 'the second')
      return nummern
    },
    run: (round, nummern: number[]) => ask(round, 'papierkorb/wiederherstellen', { nummern, ersetzen: true }),
  },
  {
    name: 'rename',
    prepare: round => stored(round, 'a.txt', 'renamed'),
    run: round => ask(round, 'media/umbenennen', { pfad: `${round.folder}/a.txt`, name: 'b.txt' }),
  },
  {
    name: 'move a folder',
    prepare: storeThree,
    run: round =>
      ask(round, 'folders/verschieben', { ordner: `${round.folder}/in`, ziel: `${round.folder}/out` }),
  },
  {
    name: 'search and replace',
    prepare: storeThree,
    run: round =>
      ask(round, 'media/ersetzen', { suche: 'deep', ersatz: 'flat', ordner: round.folder, ausfuehren: true }),
  },
  {
    name: 'delete by token',
    prepare: round => stored(round, 'a.txt', 'deleted'),
    run: ({ service, token, folder }) => remove(service, token, `${folder}/a.txt`),
  },
  {
    name: 'delete by id, compatibility',
    async prepare({ service, token, name }) {
      const parts = [{ name: 'path', content: name }, file('file', 'deleted', { filename: 'a.txt' })]
      const answer = await post(service, '/api/v3/file', token, parts)
      return ((await answer.json()) as { data: { id: string } }).data.id
    },
    run: ({ service, token }, id: string) => removeById(service, token, '/api/v3/file', id),
  },
  {
    name: 'move to the trash',
    prepare: storeThree,
    run: round => ask(round, 'folders/loeschen', { ordner: `${round.folder}/in` }),
  },
  {
    name: 'restore from the trash',
    async prepare(round) {
      await storeThree(round)
      const paths = ['in/a.txt', 'in/deep/b.txt'].map(name => `${round.folder}/${name}`)
      return throwAway(round.service, round.session, ...paths)
    },
    run: (round, nummern: number[]) => ask(round, 'papierkorb/wiederherstellen', { nummern }),
  },
  {
    name: 'empty the trash',
    async prepare(round) {
      await stored(round, 'a.txt', 'gone')
      return throwAway(round.service, round.session, `${round.folder}/a.txt`)
    },
    run: (round, nummern: number[]) => ask(round, 'papierkorb/leeren', { nummern }),
  },
  {
    name: 'save settings',
    run: round => ask(round, 'einstellungen', { DIENST: round.name, MAX_UPLOAD_MB: 77 }, 'PUT'),
    prepare: round => ask(round, 'einstellungen', { DIENST: 'before', MAX_UPLOAD_MB: 99 }, 'PUT'),
  },
]

/** What a client can see after an attempt: one value per file, trash entry, figure and setting. */
export type State = ReadonlyMap<string, string>

/** `usedBefore`: bytes of the token's files before the operation. */
export async function stateOf(round: Round, usedBefore: number): Promise<State> {
  const { service, session, folder, name } = round
  const state = new Map<string, string>()
  const below = (path: string) => path.slice(folder.length + 1)
  const query = new URLSearchParams({ ordner: folder, unterordner: '1' })
  const listed = await dash(service, `media?${query}`, { session })
  const { dateien } =
    listed.status === 404 ? { dateien: [] } : await answered<{ dateien: DashFile[] }>(listed)
  for (const { path, sha256 } of dateien)
    state.set(`file ${below(path)}`, `${sha256} ${await servedHash(round, path)}`)
  const { eintraege } = await trashOf(service, session, '?anzahl=200')
  for (const { path, size } of eintraege)
    if (path.startsWith(`${folder}/`)) state.set(`trash ${below(path)}`, String(size))
  state.set('used', String((await usedBy(round)) - usedBefore))
  const settings = await answered<Record<string, { wert: unknown }>>(
    await dash(service, 'einstellungen', { session }),
  )
  state.set('settings', `${settings.DIENST!.wert === name} ${settings.MAX_UPLOAD_MB!.wert}`)
  return state
}

/** The hash of what is served, or the status. */
export async function servedHash(
  { service }: { service: Pick<Service, 'url'> },
  path: string,
): Promise<string> {
  const response = await fetch(`${service.url}/f/${path}`, { signal: AbortSignal.timeout(PATIENCE_MS) })
  const bytes = await response.bytes()
  return response.status === 200 ? sha256(bytes) : String(response.status)
}

/** Bytes of all tokens. */
export async function usedBy({ service, session }: Round): Promise<number> {
  const tokens = await answered<TokenOnWire[]>(await dash(service, 'tokens', { session }))
  return tokens.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Carries out operations of library-model.ts on a service, below a folder of their own, and writes down what was answered. */
import { read, remove, upload } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { file, post, removeById } from '../support/compat.ts'
import { dash } from '../support/dashboard.ts'
import { field, filePart, sent } from '../support/ingest.ts'
import type { Service } from '../support/service.ts'
import type { TokenAdmin } from '../support/token-admin.ts'
import { type Answered, listed, type Operation } from './library-model.ts'

export interface LibraryClient {
  perform(operation: Operation): Promise<Answered>
  /** Numbers in the trash and ids of uploads that were answered so far. */
  readonly numbers: readonly number[]
  readonly ids: readonly string[]
}

interface ClientParts {
  service: Service
  admin: TokenAdmin
  /** Everything happens below it. */
  root: string
  /** Its prefix is `root`. */
  token: { id: string; token: string }
  /** Each content that may be met. */
  contents: readonly string[]
}

type Outcome = Pick<Answered, 'answer' | 'numbers' | 'id'>

export function createLibraryClient({ service, admin, root, token, contents }: ClientParts): LibraryClient {
  let clock = 0
  const numbers: number[] = []
  const ids: string[] = []
  const byHash = new Map(contents.map(each => [sha256(each), each]))
  const contentOf = (hash: string) => byHash.get(hash) ?? `unknown content ${hash}`
  const full = (path: string) => (path === '' ? root : `${root}/${path}`)
  const short = (path: string) => path.slice(root.length + 1)
  const { session } = admin
  const ask = (route: string, json?: unknown) =>
    dash(service, route, { session, ...(json !== undefined && { json }) })
  const statusOf = async (response: Promise<Response>): Promise<Outcome> => {
    const { status } = await response
    await (await response).arrayBuffer()
    return { answer: String(status) }
  }
  async function body<T>(response: Response): Promise<T | null> {
    const text = await response.text()
    return response.status === 200 ? (JSON.parse(text) as T) : null
  }
  const trashed = async (): Promise<[nr: number, path: string][]> => {
    const answer = await body<{ eintraege: { nr: number; path: string }[] }>(
      await ask('papierkorb?anzahl=200'),
    )
    const own = answer!.eintraege.filter(({ path }) => path.startsWith(`${root}/`))
    return own.map(({ nr, path }) => [nr, short(path)])
  }

  async function carryOut(operation: Operation): Promise<Outcome> {
    switch (operation.do) {
      case 'upload': {
        const { path, bytes, overwrite } = operation
        const headers = { 'X-Path': full(path), 'X-Overwrite': String(overwrite) }
        const response = await upload(service, token.token, bytes, headers)
        const stored = await body<{ sha256: string; replaced: boolean }>(response)
        if (!stored) return { answer: String(response.status) }
        return {
          answer: stored.sha256 === sha256(bytes) ? `200 replaced ${stored.replaced}` : 'another hash',
        }
      }
      case 'upload in the dashboard': {
        const { path, bytes, overwrite } = operation
        const slash = path.lastIndexOf('/')
        const { abgelehnt } = await sent(service, session, [
          field('ordner', full(path.slice(0, Math.max(slash, 0)))),
          field('ueberschreiben', String(overwrite)),
          filePart(path.slice(slash + 1), bytes),
        ])
        // A file that was deleted before the answer is in neither list.
        return { answer: abgelehnt.length === 0 ? 'stored' : 'refused' }
      }
      case 'upload by content': {
        const part = file('file', operation.bytes, { filename: 'a.x' })
        const response = await post(service, '/api/v3/file', token.token, [part])
        const stored = await body<{ data: { id: string } }>(response)
        if (!stored) return { answer: String(response.status) }
        return { answer: '200', id: stored.data.id }
      }
      case 'read': {
        const response = await read(service, full(operation.path))
        const text = await response.text()
        return { answer: response.status === 200 ? `200 ${text}` : String(response.status) }
      }
      case 'exists': {
        const headers = { Authorization: `Bearer ${token.token}` }
        const response = await fetch(`${service.url}/api/exists?pfad=${full(operation.path)}`, { headers })
        const found = (await response.json()) as { exists: boolean; sha256: string }
        return { answer: found.exists ? contentOf(found.sha256) : 'false' }
      }
      case 'delete':
        return statusOf(remove(service, token.token, full(operation.path)))
      case 'delete by id':
        return statusOf(removeById(service, token.token, '/api/v3/file', operation.id))
      case 'rename':
        return statusOf(ask('media/umbenennen', { pfad: full(operation.path), name: operation.name }))
      case 'move': {
        const { paths, folder } = operation
        const json = { pfade: paths.map(full), ordner: full(folder) }
        const moved = await body<{ verschoben: { von: string }[]; abgelehnt: { pfad: string }[] }>(
          await ask('media/verschieben', json),
        )
        const [done, refused] = [moved?.verschoben ?? [], moved?.abgelehnt ?? []]
        return {
          answer: `${listed(done.map(({ von }) => short(von)))} | ${listed(refused.map(({ pfad }) => short(pfad)))}`,
        }
      }
      case 'trash': {
        const json = { pfade: operation.paths.map(full) }
        const gone = (await body<{ geloescht: string[]; nummern: number[]; abgelehnt: { pfad: string }[] }>(
          await ask('media/loeschen', json),
        ))!
        const paths = gone.geloescht.map(short)
        return {
          answer: `${listed(paths)} | ${listed(gone.abgelehnt.map(({ pfad }) => short(pfad)))}`,
          numbers: Object.fromEntries(paths.map((path, at) => [path, gone.nummern[at]!])),
        }
      }
      case 'rename folder':
      case 'move folder':
      case 'trash folder': {
        const ordner = full(operation.folder)
        const response = await (operation.do === 'rename folder'
          ? ask('folders/umbenennen', { ordner, name: operation.name })
          : operation.do === 'move folder'
            ? ask('folders/verschieben', { ordner, ziel: full(operation.into) })
            : ask('folders/loeschen', { ordner }))
        const done = await body<{ dateien: number; nummern?: number[] }>(response)
        if (!done) return { answer: String(response.status) }
        // In no order: nobody else knows these numbers yet, so that all of them still are in the trash.
        const own = (done.nummern ?? []).length > 0 ? await trashed() : []
        const named = own.filter(([nr]) => done.nummern?.includes(nr)).map(([nr, path]) => [path, nr])
        return { answer: `200 ${done.dateien}`, numbers: Object.fromEntries(named) }
      }
      case 'replace': {
        const json = {
          ...{ suche: operation.search, ersatz: operation.by },
          ...{ ordner: root, ausfuehren: operation.execute },
        }
        const response = await ask('media/ersetzen', json)
        const done = await body<{ treffer: { von: string }[] }>(response)
        if (!done) return { answer: String(response.status) }
        return { answer: `200 ${listed(done.treffer.map(({ von }) => short(von)))}` }
      }
      case 'restore': {
        const done = await body<{ wiederhergestellt: { nr: number }[] }>(
          await ask('papierkorb/wiederherstellen', { nummern: operation.numbers }),
        )
        return { answer: `restored ${listed(done!.wiederhergestellt.map(({ nr }) => String(nr)))}` }
      }
      case 'empty trash': {
        const done = await body<{ entfernt: number }>(
          await ask('papierkorb/leeren', { nummern: operation.numbers }),
        )
        return { answer: `removed ${done!.entfernt}` }
      }
      case 'limit': {
        const limits =
          'quota' in operation ? { kontingent: operation.quota } : { max_datei: operation.largest }
        await admin.patch(token.id, limits)
        return { answer: '200' }
      }
      case 'list': {
        const answer = await body<{ dateien: { path: string; sha256: string }[] }>(
          await ask(`media?ordner=${root}&unterordner=1&anzahl=200`),
        )
        const files = answer?.dateien ?? []
        return { answer: listed(files.map(each => `${short(each.path)}=${contentOf(each.sha256)}`)) }
      }
      case 'list trash':
        return { answer: listed((await trashed()).map(([nr, path]) => `${nr}=${path}`)) }
      case 'usage': {
        const { dateien, bytes } = await admin.find(token.id)
        return { answer: `${dateien} files, ${bytes} bytes` }
      }
    }
  }

  return {
    numbers,
    ids,
    async perform(operation) {
      const begun = ++clock
      const outcome = await carryOut(operation)
      numbers.push(...Object.values(outcome.numbers ?? {}))
      if (outcome.id) ids.push(outcome.id)
      return { operation, begun, ended: ++clock, ...outcome }
    },
  }
}

/** Performs operations of library-model.ts on a service, in a folder of their own; records the answers. */
import { read, remove, upload } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { file, post, removeById } from '../support/compat.ts'
import { dash } from '../support/dashboard.ts'
import { type DashUploadAnswer, field, filePart, send } from '../support/ingest.ts'
import type { Service } from '../support/service.ts'
import type { TokenAdmin } from '../support/token-admin.ts'
import { trashOf } from '../support/trash.ts'
import { type Answered, folderOf, nameOf, type Operation, sortedList } from './library-model.ts'

export type LibraryClient = ReturnType<typeof createLibraryClient>

interface ClientParts {
  service: Service
  admin: TokenAdmin
  /** The folder for everything. */
  root: string
  /** A token with the prefix `root`. */
  token: { id: string; token: string }
  /** All contents that may occur. */
  contents: readonly string[]
}

type Outcome = Pick<Answered, 'answer' | 'numbers' | 'id'>
interface Refused {
  abgelehnt: { pfad: string }[]
}

/** The status of a refusal, or what `tell` makes of the answer. */
async function answerOf<T>(
  asked: Promise<Response>,
  tell: (body: T) => string | Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const response = await asked
  const text = await response.text()
  if (response.status !== 200) return { answer: String(response.status) }
  const outcome = await tell(JSON.parse(text) as T)
  return typeof outcome === 'string' ? { answer: outcome } : outcome
}
const done = () => '200'

export function createLibraryClient({ service, admin, root, token, contents }: ClientParts) {
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
  const inTwo = (paths: readonly string[], { abgelehnt }: Refused) =>
    `${sortedList(paths)} | ${sortedList(abgelehnt.map(({ pfad }) => short(pfad)))}`
  const trashEntries = async (): Promise<[nr: number, path: string][]> => {
    const { eintraege } = await trashOf(service, session, '?anzahl=200')
    const own = eintraege.filter(({ path }) => path.startsWith(`${root}/`))
    return own.map(({ nr, path }) => [nr, short(path)])
  }
  const changeFolder = (route: string, json: { ordner: string; name?: string; ziel?: string }) =>
    answerOf<{ dateien: number; nummern?: number[] }>(
      ask(`folders/${route}`, json),
      async ({ dateien, nummern = [] }) => {
        // In any order: nobody else knows these numbers yet, so all of them are still in the trash.
        const own = nummern.length > 0 ? await trashEntries() : []
        const named = own.filter(([nr]) => nummern.includes(nr)).map(([nr, path]) => [path, nr])
        return { answer: `200 ${dateien}`, numbers: Object.fromEntries(named) }
      },
    )

  async function carryOut(operation: Operation): Promise<Outcome> {
    switch (operation.do) {
      case 'upload': {
        const { path, bytes, overwrite } = operation
        const headers = { 'X-Path': full(path), 'X-Overwrite': String(overwrite) }
        return answerOf<{ sha256: string; replaced: boolean }>(
          upload(service, token.token, bytes, headers),
          stored => (stored.sha256 === sha256(bytes) ? `200 replaced ${stored.replaced}` : 'another hash'),
        )
      }
      case 'upload in the dashboard': {
        const { path, bytes, overwrite } = operation
        const parts = [
          field('ordner', full(folderOf(path).slice(0, -1))),
          field('ueberschreiben', String(overwrite)),
          filePart(nameOf(path), bytes),
        ]
        // A file that was deleted before the answer is in neither list.
        return answerOf<DashUploadAnswer>(send(service, session, parts), ({ abgelehnt }) =>
          abgelehnt.length === 0 ? 'stored' : 'refused',
        )
      }
      case 'upload by content': {
        const part = file('file', operation.bytes, { filename: 'a.x' })
        return answerOf<{ data: { id: string } }>(
          post(service, '/api/v3/file', token.token, [part]),
          ({ data: { id } }) => ({ answer: '200', id }),
        )
      }
      case 'read': {
        const response = await read(service, full(operation.path))
        const text = await response.text()
        return { answer: response.status === 200 ? `200 ${text}` : String(response.status) }
      }
      case 'exists': {
        const headers = { Authorization: `Bearer ${token.token}` }
        return answerOf<{ exists: boolean; sha256: string }>(
          fetch(`${service.url}/api/exists?pfad=${full(operation.path)}`, { headers }),
          found => (found.exists ? contentOf(found.sha256) : 'false'),
        )
      }
      case 'delete':
        return answerOf(remove(service, token.token, full(operation.path)), done)
      case 'delete by id':
        return answerOf(removeById(service, token.token, '/api/v3/file', operation.id), done)
      case 'rename':
        return answerOf(ask('media/umbenennen', { pfad: full(operation.path), name: operation.name }), done)
      case 'move':
        return answerOf<Refused & { verschoben: { von: string }[] }>(
          ask('media/verschieben', { pfade: operation.paths.map(full), ordner: full(operation.folder) }),
          moved =>
            inTwo(
              moved.verschoben.map(({ von }) => short(von)),
              moved,
            ),
        )
      case 'trash':
        return answerOf<Refused & { geloescht: string[]; nummern: number[] }>(
          ask('media/loeschen', { pfade: operation.paths.map(full) }),
          gone => {
            const paths = gone.geloescht.map(short)
            const given = paths.map((path, at) => [path, gone.nummern[at]!])
            return { answer: inTwo(paths, gone), numbers: Object.fromEntries(given) }
          },
        )
      case 'rename folder':
        return changeFolder('umbenennen', { ordner: full(operation.folder), name: operation.name })
      case 'move folder':
        return changeFolder('verschieben', { ordner: full(operation.folder), ziel: full(operation.into) })
      case 'trash folder':
        return changeFolder('loeschen', { ordner: full(operation.folder) })
      case 'replace': {
        const { search: suche, by: ersatz, execute: ausfuehren } = operation
        return answerOf<{ treffer: { von: string }[] }>(
          ask('media/ersetzen', { suche, ersatz, ausfuehren, ordner: root }),
          ({ treffer }) => `200 ${sortedList(treffer.map(({ von }) => short(von)))}`,
        )
      }
      case 'restore':
        return answerOf<{ wiederhergestellt: { nr: number }[] }>(
          ask('papierkorb/wiederherstellen', { nummern: operation.numbers }),
          ({ wiederhergestellt }) => `restored ${sortedList(wiederhergestellt.map(({ nr }) => String(nr)))}`,
        )
      case 'empty trash':
        return answerOf<{ entfernt: number }>(
          ask('papierkorb/leeren', { nummern: operation.numbers }),
          ({ entfernt }) => `removed ${entfernt}`,
        )
      case 'limit': {
        const json = 'quota' in operation ? { kontingent: operation.quota } : { max_datei: operation.largest }
        return answerOf(admin.call(`/${token.id}`, { method: 'PATCH', json }), done)
      }
      case 'list':
        return answerOf<{ dateien: { path: string; sha256: string }[] }>(
          ask(`media?ordner=${root}&unterordner=1&anzahl=200`),
          ({ dateien }) => sortedList(dateien.map(each => `${short(each.path)}=${contentOf(each.sha256)}`)),
        )
      case 'list trash':
        return { answer: sortedList((await trashEntries()).map(([nr, path]) => `${nr}=${path}`)) }
      case 'usage': {
        const { dateien, bytes } = await admin.find(token.id)
        return { answer: `${dateien} files, ${bytes} bytes` }
      }
    }
  }

  return {
    /** Numbers in the trash and ids of uploads from the answers so far. */
    ...{ numbers, ids },
    async perform(operation: Operation): Promise<Answered> {
      const begun = ++clock
      const outcome = await carryOut(operation)
      numbers.push(...Object.values(outcome.numbers ?? {}))
      if (outcome.id) ids.push(outcome.id)
      return { operation, begun, ended: ++clock, ...outcome }
    },
  }
}

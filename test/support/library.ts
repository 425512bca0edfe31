/**
 * The dashboard's library by address: one service per file, a signed-in session, and the calls that its tests
 * make.
 */
import { expect } from 'bun:test'
import { answered, bytesOf, expectSameBytes, read } from './api.ts'
import { dash } from './dashboard.ts'
import { type DashFile, field, filePart, sendOk } from './ingest.ts'
import type { ServiceOptions } from './service.ts'
import { type SignedIn, signedInService } from './shared-service.ts'
import { eventually } from './wait.ts'

export interface LibraryFile extends DashFile {
  breite?: number
  hoehe?: number
  laenge?: number
}

export interface FolderFigures {
  name: string
  pfad: string
  dateien: number
  bytes: number
}

export interface FolderNode extends FolderFigures {
  ordner: FolderNode[]
}

export interface LibraryPage {
  dateien: LibraryFile[]
  ordner: FolderFigures[]
  gesamt: number
  seite: number
  anzahl: number
}

export interface HistoryEntry {
  was: string
  pfad: string
  wer: string
  bytes: number
  einzelheiten: string | null
}

type Content = string | Uint8Array
const PARTS = 250

export interface Library extends SignedIn {
  /** Whatever the answer. */
  get(route: string): Promise<Response>
  post(route: string, json: unknown): Promise<Response>
  /** A request that must be answered with 200. */
  done<T = Record<string, unknown>>(route: string, json: unknown): Promise<T>
  list(query?: Record<string, string | number>): Promise<LibraryPage>
  /** The paths of all files in and below a folder, sorted; `''` is everything. */
  below(folder: string): Promise<string[]>
  file(path: string): Promise<LibraryFile>
  /** Stores files in one request, replacing existing ones; the content of each is its path, unless given. */
  fill(folder: string, files: readonly string[] | Readonly<Record<string, Content>>): Promise<void>
  history(query: string): Promise<HistoryEntry[]>
  /** Checks that the address serves this content, or (null) that it does not exist. */
  holds(path: string, content: Content | null): Promise<void>
  /** Waits until a preview exists. */
  previewReady(path: string): Promise<Response>
}

export function sharedLibrary(options: ServiceOptions = {}): Library {
  const shared = signedInService(options)
  const get = (route: string) => dash(shared.service, route, { session: shared.session })
  const post = (route: string, json: unknown) =>
    dash(shared.service, route, { json, session: shared.session })

  const calls: Omit<Library, keyof SignedIn> = {
    get,
    post,
    async done<T>(route: string, json: unknown): Promise<T> {
      return answered<T>(await post(route, json))
    },
    async list(query = {}) {
      const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      return answered<LibraryPage>(await get(`media?${text.join('&')}`))
    },
    async below(folder) {
      const where = folder === '' ? '' : `ordner=${folder}&`
      const response = await get(`media?${where}unterordner=1&anzahl=200`)
      // A folder exists as long as it contains something.
      if (response.status === 404) return []
      const { dateien, gesamt } = await answered<LibraryPage>(response)
      expect(gesamt).toBe(dateien.length)
      return dateien.map(file => file.path).sort()
    },
    async file(path) {
      return answered<LibraryFile>(await get(`media/${path}`))
    },
    async fill(folder, files) {
      const start = folder === '' ? '' : `${folder}/`
      const given = Array.isArray(files) ? files.map(name => [name, start + name] as const) : []
      const all = given.length > 0 ? given : Object.entries(files as Record<string, Content>)
      for (let at = 0; at < all.length; at += PARTS) {
        const parts = all.slice(at, at + PARTS)
        const answers = await Promise.all(
          [...byFolder(parts)].map(([into, inside]) =>
            sendOk(shared.service, shared.session, [
              field('ordner', start + into),
              field('ueberschreiben', 'true'),
              ...inside.map(([name, content]) => filePart(name, content)),
            ]),
          ),
        )
        expect(answers.flatMap(answer => answer.abgelehnt)).toEqual([])
      }
    },
    async history(query) {
      const response = await get(`verlauf?anzahl=200&${query}`)
      return (await answered<{ eintraege: HistoryEntry[] }>(response)).eintraege
    },
    async holds(path, content) {
      const response = await read(shared.service, path)
      expect([path, response.status]).toEqual([path, content === null ? 404 : 200])
      const bytes = await bytesOf(response)
      if (content !== null) expectSameBytes(bytes, Buffer.from(content as string))
    },
    previewReady: path =>
      eventually(`the preview of ${path}`, async () => {
        const response = await fetch(`${shared.service.url}/t/${path}.webp`)
        return response.status === 200 && response
      }),
  }
  return Object.assign(Object.create(shared) as SignedIn, calls)
}

/** An upload form has one folder: the names for each. */
function byFolder(files: readonly (readonly [string, Content])[]): Map<string, [string, Content][]> {
  const folders = new Map<string, [string, Content][]>()
  for (const [path, content] of files) {
    const slash = path.lastIndexOf('/')
    const inside = folders.get(path.slice(0, Math.max(slash, 0))) ?? []
    inside.push([path.slice(slash + 1), content])
    folders.set(path.slice(0, Math.max(slash, 0)), inside)
  }
  return folders
}

/** Sorted keys, for comparing shapes. */
export const keys = (value: object) => Object.keys(value).sort()

export interface Refused {
  pfad: string
  grund: string
  code: string
}

const REASON = /^[\p{Lu}„][^\n]*\.$/u

/** The refused paths; each must come with a German sentence. */
export function refusedPaths(refused: readonly Refused[]): string[] {
  for (const entry of refused) {
    expect(keys(entry)).toEqual(['code', 'grund', 'pfad'])
    expect(entry.grund).toMatch(REASON)
  }
  return refused.map(({ pfad }) => pfad)
}

/**
 * A library in memory: what token and dashboard operations do one after the other, by specification and
 * contract. model.ts judges single paths after a crash; here every operation was answered, and the answers
 * and the whole library must be those of some order of the operations.
 */
import { sha256 } from '../support/bytes.ts'

export type Operation =
  | { do: 'upload'; path: string; bytes: string; overwrite: boolean }
  | { do: 'upload in the dashboard'; path: string; bytes: string; overwrite: boolean }
  | { do: 'upload by content'; bytes: string }
  | { do: 'delete' | 'exists' | 'read'; path: string }
  | { do: 'delete by id'; id: string }
  | { do: 'rename'; path: string; name: string }
  | { do: 'move'; paths: string[]; folder: string }
  | { do: 'trash'; paths: string[] }
  | { do: 'rename folder'; folder: string; name: string }
  | { do: 'move folder'; folder: string; into: string }
  | { do: 'trash folder'; folder: string }
  | { do: 'replace'; search: string; by: string; execute: boolean }
  | { do: 'restore' | 'empty trash'; numbers: number[] }
  | { do: 'limit'; quota: number | null }
  | { do: 'limit'; largest: number | null }
  | { do: 'list' | 'list trash' | 'usage' }

/** An operation that was answered; all times are on one clock. */
export interface Answered {
  operation: Operation
  begun: number
  ended: number
  answer: string
  /** The trash numbers of paths. */
  numbers?: Record<string, number>
  /** The id of an upload by content. */
  id?: string
  /**
   * What the first of two looks found: the matches of a search and replace, which it changes a moment later
   * if all these files still exist, or the files of a folder that is listed a moment later.
   */
  found?: string[]
}

interface Stored {
  bytes: string
  /** Whether it was stored with the token and counts towards its quota. */
  own: boolean
  /** Ids of uploads by content. */
  ids: readonly string[]
}
export interface Library {
  files: ReadonlyMap<string, Stored>
  trash: ReadonlyMap<number, Stored & { path: string }>
  quota: number | null
  largest: number | null
}
export const EMPTY: Library = { files: new Map(), trash: new Map(), quota: null, largest: null }

const hitsOf = ({ files }: Library, search: string) => [...files.keys()].filter(path => path.includes(search))

/** A possible answer, and the library after it. */
interface Outcome {
  answers: string[]
  next: Library
}

/** Maximum levels of a path, including the folder of the sequence. */
const MOST_LEVELS = 8

export const pathByContent = (bytes: string) => `${sha256(bytes).slice(0, 12)}.x`
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const within = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)
export const sortedList = (texts: Iterable<string>) => [...texts].sort().join(' ')

export function outcomeOf(library: Library, { operation, numbers = {}, id = '', found }: Answered): Outcome {
  const { files, trash } = library
  const same = (...answers: string[]): Outcome => ({ answers, next: library })
  const changed = (answer: string, change: Partial<Library>): Outcome => ({
    answers: [answer],
    next: { ...library, ...change },
  })
  const put = (answer: string, path: string, stored: Stored) =>
    changed(answer, { files: new Map(files).set(path, stored) })
  const without = (path: string) => new Map([...files].filter(([each]) => each !== path))
  const owned = () => [...files.values()].flatMap(({ own, bytes }) => (own ? [bytes.length] : []))
  const heldBytes = () => owned().reduce((sum, size) => sum + size, 0)
  const tooMuch = (path: string, bytes: string) => {
    const there = files.get(path)
    const gain = bytes.length - (there?.own ? there.bytes.length : 0)
    const { quota, largest } = library
    return (
      (largest !== null && bytes.length > largest) ||
      (quota !== null && gain > 0 && heldBytes() + gain > quota)
    )
  }
  const throwAway = (answer: string, paths: readonly string[]) =>
    changed(answer, {
      files: new Map([...files].filter(([path]) => !paths.includes(path))),
      trash: new Map([
        ...trash,
        ...paths.map(path => [numbers[path]!, { ...files.get(path)!, path }] as const),
      ]),
    })
  const inside = (folder: string) => [...files.keys()].filter(path => path.startsWith(`${folder}/`))
  /** All of the moves, or none. */
  const relocate = (
    moves: ReadonlyMap<string, string>,
    answer: string,
    [taken = '', deep = '']: string[],
  ) => {
    if ([...moves.values()].some(to => to.split('/').length >= MOST_LEVELS)) return same(deep)
    const staying = [...files].filter(([path]) => !moves.has(path))
    const after = [...staying, ...[...moves].map(([from, to]) => [to, files.get(from)!] as const)]
    const moved = new Map(after)
    return moved.size < after.length ? same(taken) : changed(answer, { files: moved })
  }

  switch (operation.do) {
    case 'upload': {
      const { path, bytes, overwrite } = operation
      const refusals = [
        ...(files.has(path) && !overwrite ? ['409'] : []),
        ...(tooMuch(path, bytes) ? ['413'] : []),
      ]
      if (refusals.length > 0) return same(...refusals)
      return put(`200 replaced ${files.has(path)}`, path, { bytes, own: true, ids: [] })
    }
    case 'upload in the dashboard': {
      const { path, bytes, overwrite } = operation
      if (files.has(path) && !overwrite) return same('refused')
      return put('stored', path, { bytes, own: false, ids: [] })
    }
    case 'upload by content': {
      const { bytes } = operation
      const path = pathByContent(bytes)
      if (tooMuch(path, bytes)) return same('413')
      return put('200', path, { bytes, own: true, ids: [...(files.get(path)?.ids ?? []), id] })
    }
    case 'read':
      return same(files.has(operation.path) ? `200 ${files.get(operation.path)!.bytes}` : '404')
    case 'exists':
      return same(files.get(operation.path)?.bytes ?? 'false')
    case 'delete':
      return files.has(operation.path) ? changed('200', { files: without(operation.path) }) : same('404')
    case 'delete by id': {
      const [path, stored] = [...files].find(([, { ids }]) => ids.includes(operation.id)) ?? []
      if (!path || !stored) return same('404')
      const ids = stored.ids.filter(each => each !== operation.id)
      return ids.length > 0 ? put('200', path, { ...stored, ids }) : changed('200', { files: without(path) })
    }
    case 'rename': {
      const { path, name } = operation
      if (!files.has(path)) return same('404')
      return relocate(new Map([[path, folderOf(path) + name]]), '200', ['409'])
    }
    case 'move': {
      const { paths, folder } = operation
      const moves = new Map<string, string>()
      for (const path of paths) {
        const to = within(folder, nameOf(path))
        if (files.has(path) && to !== path && ![...moves.values()].includes(to)) moves.set(path, to)
      }
      for (const [path, to] of moves) if (files.has(to)) moves.delete(path)
      const refused = paths.filter(path => !moves.has(path))
      return relocate(moves, `${sortedList(moves.keys())} | ${sortedList(new Set(refused))}`, [])
    }
    case 'trash': {
      const [there, absent] = [new Set<string>(), new Set<string>()]
      for (const path of operation.paths) (files.has(path) ? there : absent).add(path)
      return throwAway(`${sortedList(there)} | ${sortedList(absent)}`, [...there])
    }
    case 'rename folder':
    case 'move folder': {
      const { folder } = operation
      const isMove = operation.do === 'move folder'
      const to = isMove ? within(operation.into, nameOf(folder)) : folderOf(folder) + operation.name
      const paths = inside(folder)
      if (paths.length === 0) return same('404')
      if (isMove && `${operation.into}/`.startsWith(`${folder}/`)) return same('400')
      const moves = new Map(paths.map(path => [path, to + path.slice(folder.length)]))
      return relocate(moves, `200 ${paths.length}`, ['409', '400'])
    }
    case 'trash folder': {
      const paths = inside(operation.folder)
      return paths.length === 0 ? same('404') : throwAway(`200 ${paths.length}`, paths)
    }
    case 'replace': {
      const { search, by, execute } = operation
      const hits = found ?? hitsOf(library, search)
      // The folder may be gone when it is looked up, or only when it is searched.
      if (!found && files.size === 0) return same('404', '200 ')
      if (!execute) return same(`200 ${sortedList(hits)}`)
      if (!hits.every(path => files.has(path))) return same()
      const moves = new Map(hits.map(path => [path, path.replaceAll(search, by)]))
      return relocate(moves, `200 ${sortedList(hits)}`, ['409', '409'])
    }
    case 'restore': {
      const [after, left] = [new Map(files), new Map(trash)]
      const restored = operation.numbers.filter(nr => {
        const { path = '', ...stored } = left.get(nr) ?? {}
        if (path === '' || after.has(path)) return false
        after.set(path, stored as Stored)
        return left.delete(nr)
      })
      return changed(`restored ${sortedList(restored.map(String))}`, { files: after, trash: left })
    }
    case 'empty trash': {
      const left = new Map([...trash].filter(([nr]) => !operation.numbers.includes(nr)))
      return changed(`removed ${trash.size - left.size}`, { trash: left })
    }
    case 'limit': {
      const { do: _, ...limits } = operation
      return changed('200', limits)
    }
    case 'list':
      // A folder exists as long as it contains something. Its files may be gone when they are listed.
      if (found && files.size === 0) return same('')
      return same(
        files.size === 0 ? '404' : sortedList([...files].map(([path, { bytes }]) => `${path}=${bytes}`)),
      )
    case 'list trash':
      return same(sortedList([...trash].map(([nr, { path }]) => `${nr}=${path}`)))
    case 'usage':
      return same(`${owned().length} files, ${heldBytes()} bytes`)
  }
}

/** Whether an order of the operations, consistent with their times, explains all answers. */
export function isExplained(library: Library, history: readonly Answered[]): boolean {
  const hopeless = new Set<string>()
  function explains(before: Library, left: readonly Answered[]): boolean {
    if (left.length === 0) return true
    const key = JSON.stringify([
      left.map(({ begun, found }) => [begun, found]),
      [...before.files].sort(),
      [...before.trash].sort(),
      before.quota,
      before.largest,
    ])
    if (hopeless.has(key)) return false
    const soonest = Math.min(...left.map(({ ended }) => ended))
    const isPossible = left.some(one => {
      if (one.begun > soonest) return false
      const others = left.filter(each => each !== one)
      const { operation, answer } = one
      if (operation.do === 'replace' && operation.execute && answer !== '404' && !one.found)
        return explains(before, [...others, { ...one, found: hitsOf(before, operation.search) }])
      if (operation.do === 'list' && answer === '' && before.files.size > 0 && !one.found)
        return explains(before, [...others, { ...one, found: [...before.files.keys()] }])
      const { answers, next } = outcomeOf(before, one)
      // Refused because database or store did not answer in time: the operation may have happened or not.
      if (answer === '503') return explains(before, others) || explains(next, others)
      return answers.includes(answer) && explains(next, others)
    })
    if (!isPossible) hopeless.add(key)
    return isPossible
  }
  return explains(library, history)
}

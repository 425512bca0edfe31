/**
 * A list of files as JSON: the export of a Fundus, or what another host answers when it is asked for its files. Each
 * entry has a `url`; a name comes from `path` and `filename` (or `name`), where they are given, otherwise from the `url`.
 */
import { type AddressOptions, isAddress, itemOf, SourceError } from './addresses.ts'
import type { ImportItem } from './item.ts'

type Entry = Readonly<Record<string, unknown>>

export interface ListingOptions extends AddressOptions {
  /** Where the file of an entry is fetched, if not at its own address. */
  fetchAt?(entry: { path: string }): string
}

export function itemsOfListing(json: string, options: ListingOptions): ImportItem[] {
  const items = new Map<string, ImportItem>()
  for (const [at, entry] of entriesIn(json).entries()) {
    const address = textOf(entry.url)
    if (address === undefined || !isAddress(address))
      throw new SourceError(
        `Eintrag ${at + 1} der Liste hat keine Adresse („url“)`,
        `Entry ${at + 1} of the list has no address (“url”)`,
      )
    const path = textOf(entry.path)
    const from = options.fetchAt && path !== undefined ? options.fetchAt({ path }) : address
    const item = itemOf(from, nameOf(entry), options)
    items.set(address, { ...item, from: address, sha256: textOf(entry.sha256) })
  }
  return [...items.values()]
}

/** The list itself, or the first list inside of an object, as in `{"status": "ok", "data": […]}`. */
function entriesIn(json: string): Entry[] {
  const list = firstList(parsed(json))
  if (!list)
    throw new SourceError('Die Quelle enthält keine Liste von Dateien', 'The source has no list of files')
  return list.filter(entry => typeof entry === 'object' && entry !== null) as Entry[]
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new SourceError('Die Quelle ist kein gültiges JSON', 'The source is no valid JSON')
  }
}

function firstList(value: unknown, depth = 2): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  for (const inside of Object.values(value)) {
    const list = firstList(inside, depth - 1)
    if (list) return list
  }
  return undefined
}

/** `path` is the whole path at a Fundus, and only the folder where a file name stands beside it. */
function nameOf({ path, filename, name }: Entry): string | undefined {
  const [folder, file] = [textOf(path), textOf(filename) ?? textOf(name)]
  if (file === undefined || folder === undefined) return file ?? folder
  return folder === file || folder.endsWith(`/${file}`) ? folder : `${folder.replace(/\/$/, '')}/${file}`
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

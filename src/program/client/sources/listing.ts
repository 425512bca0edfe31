/**
 * A list of files as JSON: the export of a Fundus, or the listing of another host. Each entry has a `url`;
 * its name comes from `path` and `filename` (or `name`), otherwise from the `url`.
 */
import { type AddressOptions, isHttpAddress, itemOfAddress, SourceError } from './addresses.ts'
import type { ImportItem } from './item.ts'

type Entry = Readonly<Record<string, unknown>>

export interface ListingOptions extends AddressOptions {
  /**
   * Returns the address from which the file of an entry is fetched. If this function is absent, or the entry
   * has no path, the file is fetched from the address in the entry.
   */
  fetchAt?(entry: { path: string }): string
}

export interface Listing {
  items: ImportItem[]
  /** Number of entries. An address that is listed twice counts as two entries, but is one item. */
  count: number
  /** The total number of entries according to the source; null if the source does not state it. */
  total: number | null
  /** The address of the next page as written in the answer; null if there is none. */
  nextAddress: string | null
}

/** The listing of a source without pages. */
export const singlePageListing = (items: ImportItem[]): Listing => ({
  items,
  count: items.length,
  total: null,
  nextAddress: null,
})

export function itemsOfListing(json: string, options: ListingOptions): Listing {
  const items = new Map<string, ImportItem>()
  const answer = parseJson(json)
  const entries = entriesIn(answer)
  for (const [index, entry] of entries.entries()) {
    const address = nonEmptyText(entry.url)
    if (address === undefined || !isHttpAddress(address))
      throw new SourceError(
        `Eintrag ${index + 1} der Liste hat keine Adresse („url“)`,
        `Entry ${index + 1} of the list has no address (“url”)`,
      )
    const path = nonEmptyText(entry.path)
    const fetchAddress = options.fetchAt && path !== undefined ? options.fetchAt({ path }) : address
    const item = itemOfAddress(fetchAddress, nameOf(entry), options)
    items.set(address, { ...item, from: address, sha256: nonEmptyText(entry.sha256) })
  }
  return {
    items: [...items.values()],
    count: entries.length,
    total: findField(answer, TOTAL_FIELDS, parseCount) ?? null,
    nextAddress: findField(answer, NEXT_PAGE_FIELDS, nonEmptyText) ?? null,
  }
}

/** Names of the fields in which hosts state the total number of entries and the address of the next page. */
const TOTAL_FIELDS = ['total', 'total_count', 'totalCount', 'total_items']
const NEXT_PAGE_FIELDS = ['next', 'next_page_url', 'nextPageUrl', 'next_url']
/** Names of nested objects that may state the total and the next page if the answer itself does not. */
const CONTAINER_FIELDS = ['pagination', 'paging', 'meta', 'links', 'data', 'result']

function findField<T>(
  answer: unknown,
  names: readonly string[],
  parseValue: (value: unknown) => T | undefined,
  depth = 2,
): T | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined
  const fields = new Map(Object.entries(answer))
  for (const name of names) {
    const value = fields.get(name)
    const fieldValue = parseValue(value) ?? parseValue((value as { href?: unknown } | null | undefined)?.href)
    if (fieldValue !== undefined) return fieldValue
  }
  if (depth === 0) return undefined
  for (const name of CONTAINER_FIELDS) {
    const fieldValue = findField(fields.get(name), names, parseValue, depth - 1)
    if (fieldValue !== undefined) return fieldValue
  }
  return undefined
}

const parseCount = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : undefined)

/**
 * Returns the entries: the answer itself if it is a list, otherwise the first list inside it (at most two
 * levels deep), as in `{"status": "ok", "data": […]}`. Entries that are not objects are left out.
 */
function entriesIn(answer: unknown): Entry[] {
  const list = findFirstList(answer)
  if (!list)
    throw new SourceError('Die Quelle enthält keine Liste von Dateien', 'The source has no list of files')
  return list.filter(entry => typeof entry === 'object' && entry !== null) as Entry[]
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new SourceError('Die Quelle ist kein gültiges JSON', 'The source is no valid JSON')
  }
}

function findFirstList(value: unknown, depth = 2): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  for (const child of Object.values(value)) {
    const list = findFirstList(child, depth - 1)
    if (list) return list
  }
  return undefined
}

/**
 * The name of an entry. In an export of Fundus `path` is the whole path; in other lists it may be only the
 * folder of `filename` or `name`.
 */
function nameOf({ path, filename, name }: Entry): string | undefined {
  const [folder, file] = [nonEmptyText(path), nonEmptyText(filename) ?? nonEmptyText(name)]
  if (file === undefined || folder === undefined) return file ?? folder
  return folder === file || folder.endsWith(`/${file}`) ? folder : `${folder.replace(/\/$/, '')}/${file}`
}

const nonEmptyText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** A list of addresses as text: one per line, optionally followed by the path for the file. */
import { attempt } from '../../../base/attempt.ts'
import { SentenceError } from '../../../base/language.ts'
import type { FetchFile } from '../fetch-file.ts'
import type { ImportItem } from './item.ts'

export interface AddressOptions {
  fetchFile: FetchFile
  /** If true, only the last segment of an address becomes the name; otherwise its folders are kept. */
  flat: boolean
}

/**
 * Skips empty lines and lines that begin with `#`. Throws a `SourceError` if a line does not begin with an
 * address.
 */
export function itemsOfAddressList(text: string, options: AddressOptions): ImportItem[] {
  const items = new Map<string, ImportItem>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [address = '', path] = line.trim().split(/\s+/, 2)
    if (address === '' || address.startsWith('#')) continue
    if (!isHttpAddress(address))
      throw new SourceError(
        `Zeile ${index + 1} ist keine Adresse: ${line.trim().slice(0, 100)}`,
        `Line ${index + 1} is no address: ${line.trim().slice(0, 100)}`,
      )
    items.set(address, itemOfAddress(address, path, options))
  }
  return [...items.values()]
}

/**
 * Thrown if a source does not have the format that it appears to have. The messages have no full stop;
 * `readSource` appends it.
 */
export class SourceError extends SentenceError {}

export const isHttpAddress = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)

export function itemOfAddress(
  address: string,
  path: string | undefined,
  { fetchFile, flat }: AddressOptions,
): ImportItem {
  return {
    from: address,
    name: path ?? nameFromAddress(address, flat),
    makeLocal: scratch => fetchFile(address, scratch),
  }
}

function nameFromAddress(address: string, flat: boolean): string {
  const parts = new URL(address).pathname
    .split('/')
    .filter(part => part !== '')
    .map(decodeUrlPart)
  return flat ? (parts.at(-1) ?? '') : parts.join('/')
}

/** Decodes a percent-encoded part of a URL; returns it unchanged if its encoding is invalid. */
export const decodeUrlPart = (part: string) => attempt(() => decodeURIComponent(part)) ?? part

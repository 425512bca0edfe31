/** Recognizes the kind of an import source and lists its items. */
import { open, readFile, stat } from 'node:fs/promises'
import type { PickText } from '../../../base/language.ts'
import type { Environment } from '../../../config/config.ts'
import { createFetchFile } from '../../client/fetch-file.ts'
import { createPacer } from '../../client/pacer.ts'
import { RETRY_POLICY } from '../../client/retries.ts'
import { isHttpAddress, itemsOfAddressList, SourceError } from '../../client/sources/addresses.ts'
import { itemsOfListing, type Listing, singlePageListing } from '../../client/sources/listing.ts'
import { itemsOfArchive, itemsOfFolder } from '../../client/sources/local.ts'
import { itemsAtAddress, itemsOfFundus } from '../../client/sources/remote-listing.ts'
import { UsageError } from '../command.ts'
import type { LinkOptions } from '../link-input.ts'
import { askSecret } from '../user/user-input.ts'

export interface SourceOptions {
  flat: boolean
  'old-base'?: string | undefined
  user?: string | undefined
  header: readonly string[]
  'skip-invalid': boolean
  links: LinkOptions
  requestsPerSecond: number
  environment: Environment
  localize: PickText
  readInput(): Promise<string>
}

/**
 * Maximum number of attempts to fetch a file from the source. Fewer than for uploads to the target, because
 * the next run tries the file again.
 */
const MAX_SOURCE_ATTEMPTS = 4

export const readSource = (source: string, options: SourceOptions) =>
  listSourceItems(source, options).catch((error): never => {
    throw error instanceof SourceError ? new UsageError(`${error.message}.`, `${error.english}.`) : error
  })

async function listSourceItems(source: string, options: SourceOptions): Promise<Listing> {
  const { flat, requestsPerSecond, user, 'old-base': oldBase } = options
  const fetchFile = createFetchFile({
    pace: createPacer({ requestsPerSecond, now: Date.now, sleep: Bun.sleep }),
    retryPolicy: { ...RETRY_POLICY, maxAttempts: MAX_SOURCE_ATTEMPTS },
    now: Date.now,
  })
  const addressOptions = { fetchFile, flat }
  if (source === '-') return itemsOfText(await options.readInput(), addressOptions)
  if (isHttpAddress(source)) {
    if (user === undefined) return itemsAtAddress(source, parseHeaders(options.header), addressOptions)
    const passwort = options.environment.FUNDUS_PASSWORD ?? (await askPassword(options.localize))
    return itemsOfFundus(new URL(source).origin, { benutzer: user, passwort }, addressOptions)
  }
  const stats = await stat(source).catch(() => null)
  if (!stats)
    throw new UsageError(
      `Die Quelle „${source}“ gibt es nicht, und sie ist keine Adresse.`,
      `The source “${source}” does not exist, and it is no address.`,
    )
  if (stats.isDirectory()) {
    const { items, links } = await itemsOfFolder(source, oldBase, options.links)
    options.links.report(links, { skipInvalid: options['skip-invalid'] })
    return singlePageListing(items)
  }
  if (await isArchive(source)) return singlePageListing(await itemsOfArchive(source, oldBase))
  return itemsOfText(await readFile(source, 'utf8'), addressOptions)
}

type ItemOptions = Parameters<typeof itemsOfAddressList>[1]

const itemsOfText = (text: string, addressOptions: ItemOptions) =>
  /^\uFEFF?\s*[[{]/.test(text)
    ? itemsOfListing(text.replace(/^\uFEFF/, ''), addressOptions)
    : singlePageListing(itemsOfAddressList(text.replace(/^\uFEFF/, ''), addressOptions))

/** Whether the file seems to be a ZIP archive: these begin with `PK`, whatever their name. */
async function isArchive(file: string): Promise<boolean> {
  await using handle = await open(file)
  const { buffer } = await handle.read({ buffer: Buffer.alloc(2) })
  return buffer.toString('latin1') === 'PK'
}

function askPassword(localize: PickText): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError(
      'Es fehlt das Passwort: bitte FUNDUS_PASSWORD setzen.',
      'The password is missing: please set FUNDUS_PASSWORD.',
    )
  return askSecret(localize('Passwort: ', 'Password: '))
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map(line => {
      const colonIndex = line.indexOf(':')
      if (colonIndex < 1)
        throw new UsageError(
          '--header braucht die Form „Name: Wert“.',
          '--header needs the form “name: value”.',
        )
      return [line.slice(0, colonIndex).trim(), line.slice(colonIndex + 1).trim()]
    }),
  )
}

/** Reads and checks the headers of the tus protocol. */
import { attempt } from '../../base/attempt.ts'
import { mediaTypeEssence } from '../../contract/paths/kinds.ts'
import {
  TUS_CHECKSUM_ALGORITHMS,
  TUS_MAX_METADATA,
  TUS_PIECE_TYPE,
  TUS_VERSION,
  type TusChecksum,
} from '../../contract/upload/tus-wire.ts'
import { failure } from '../../errors/errors.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'

type Headers = IncomingRequest['headers']

export function checkVersion({ headers }: IncomingRequest): void {
  if (headers.get('Tus-Resumable')?.trim() !== TUS_VERSION) throw failure.tusVersionUnknown(TUS_VERSION)
}

const WHOLE_NUMBER_PATTERN = /^\d{1,15}$/

const parseWholeNumber = (text: string | null) =>
  WHOLE_NUMBER_PATTERN.test(text ?? '') ? Number(text) : null

/** Reads `Upload-Length`, which must be above 0. */
export function announcedLength(headers: Headers): number {
  const length = parseWholeNumber(headers.get('Upload-Length'))
  if (length === null || length === 0) throw failure.tusLengthInvalid()
  return length
}

export function announcedOffset(headers: Headers): number {
  const offset = parseWholeNumber(headers.get('Upload-Offset'))
  if (offset === null) throw failure.tusOffsetInvalid()
  return offset
}

export const hasPieceType = (headers: Headers) =>
  mediaTypeEssence(headers.get('Content-Type') ?? '') === TUS_PIECE_TYPE

export function requirePieceType(headers: Headers): void {
  if (!hasPieceType(headers)) throw failure.tusTypeUnfit(TUS_PIECE_TYPE)
}

export interface Checksum {
  algorithm: TusChecksum
  digest: Uint8Array
}

export function announcedChecksum(headers: Headers): Checksum | null {
  const text = headers.get('Upload-Checksum')
  if (text === null) return null
  const [name, value = '', ...rest] = text.trim().split(/ +/)
  const algorithm = TUS_CHECKSUM_ALGORITHMS.find(supportedName => supportedName === name)
  const digest = attempt(() => Uint8Array.fromBase64(value))
  if (!algorithm || !digest || rest.length > 0) throw failure.tusChecksumUnknown(TUS_CHECKSUM_ALGORITHMS)
  return { algorithm, digest }
}

/**
 * Reads `Upload-Metadata`: its text, and its values by name. It consists of pairs separated by commas, each a
 * name and an optional value in Base64.
 */
export function announcedMetadata(headers: Headers): { text: string; values: ReadonlyMap<string, string> } {
  const text = headers.get('Upload-Metadata')?.trim() ?? ''
  if (text.length > TUS_MAX_METADATA) throw failure.tusMetadataInvalid('er ist zu lang')
  return { text, values: parseMetadata(text) }
}

export function parseMetadata(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const pair of text === '' ? [] : text.split(',')) {
    const [name = '', value = '', ...rest] = pair.trim().split(' ')
    const bytes = attempt(() => Uint8Array.fromBase64(value))
    const decodedValue = bytes && attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (name === '' || rest.length > 0 || decodedValue === undefined || decodedValue === null)
      throw failure.tusMetadataInvalid('er besteht nicht aus Namen und Werten in Base64')
    if (values.has(name)) throw failure.tusMetadataInvalid('ein Name kommt zweimal vor')
    values.set(name, decodedValue)
  }
  return values
}

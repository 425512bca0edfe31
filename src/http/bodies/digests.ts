/** Checksums that a client sends with a file: `Repr-Digest` and `Content-Digest` (RFC 9530), `X-Sha256`. */

import { attempt } from '../../base/attempt.ts'
import { SHA256_HEADER } from '../../contract/upload/headers.ts'
import { splitUnquoted } from '../../contract/values/text.ts'
import { failure } from '../../errors/errors.ts'

export interface Digest {
  header: string
  /** SHA-256, hexadecimal. */
  sha256: string
}

const HEX_SHA256 = /^[0-9a-f]{64}$/
/**
 * A dictionary member `sha-256` (RFC 9651 section 3.2) with a byte sequence; its parameters have no meaning.
 */
const SHA256_MEMBER = /^[ \t]*sha-256=:([A-Za-z0-9+/=]*):[ \t]*(?:;.*)?$/
const SHA256_BYTES = 32

/**
 * The digests that the client sent for the file. Invalid ones and other algorithms are ignored. `bodyIsFile`:
 * the body is the file and not a form, so that `Content-Digest` applies to the file too.
 */
export function announcedDigests(headers: Pick<Headers, 'get'>, { bodyIsFile = false } = {}): Digest[] {
  const digests: [header: string, sha256: string | null][] = [
    ['Repr-Digest', parseDigestDictionary(headers.get('Repr-Digest'))],
    [SHA256_HEADER, parseHexDigest(headers.get(SHA256_HEADER))],
    ['Content-Digest', bodyIsFile ? parseDigestDictionary(headers.get('Content-Digest')) : null],
  ]
  return digests.flatMap(([header, sha256]) => (sha256 === null ? [] : [{ header, sha256 }]))
}

/** Throws unless the received bytes have the announced digests. */
export function checkDigests(expectedDigests: readonly Digest[], receivedFile: { sha256: string }): void {
  const mismatch = expectedDigests.find(({ sha256 }) => sha256 !== receivedFile.sha256)
  if (mismatch) throw failure.digestDiffers(mismatch.header)
}

function parseHexDigest(value: string | null): string | null {
  const text = (value ?? '').trim().toLowerCase()
  return HEX_SHA256.test(text) ? text : null
}

/**
 * The SHA-256 in a header; null if there is no valid one. If there are several, the last one counts (RFC 9651
 * section 4.2.2).
 */
function parseDigestDictionary(dictionary: string | null): string | null {
  const encodedDigests = splitUnquoted(dictionary ?? '', ',').flatMap(
    member => SHA256_MEMBER.exec(member)?.[1] ?? [],
  )
  const bytes = attempt(() => Uint8Array.fromBase64(encodedDigests.at(-1) ?? ''))
  return bytes?.length === SHA256_BYTES ? bytes.toHex() : null
}

/**
 * Ids of stored content: 16 characters, 80 bits. Lower case only, so that names stay distinct on file systems
 * that ignore case; without `i`, `l`, `o` and `u`, so that people can read them aloud.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export type NewId = (length?: number) => string

export const ID_LENGTH = 16

/** Random bytes are fetched in bulk, because fetching costs more than encoding them. */
const random = new Uint8Array(4096)
let used = random.length

export const newId: NewId = (length = ID_LENGTH) => {
  if (used + length > random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  let id = ''
  for (const end = used + length; used < end; used++) id += ALPHABET[random[used]! & 31]
  return id
}

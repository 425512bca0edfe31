/**
 * Makes the ids of stored content. Ids are lower-case only, so that names built from them stay distinct on
 * file systems that ignore case. They lack `i`, `l`, `o` and `u`, so that people can read them aloud. 16
 * characters are 80 bits.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export type NewId = (length?: number) => string

export const ID_LENGTH = 16

/** Asked for together: asking for the bytes of one id costs more than making it of them. */
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

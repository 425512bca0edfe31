/**
 * Makes the ids of stored content. Ids are lower-case only, so that names built from them stay distinct on file systems
 * that ignore case. They lack `i`, `l`, `o` and `u`, so that people can read them aloud. 16 characters are 80 bits.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export type NewId = (length?: number) => string

export const ID_LENGTH = 16

export const newId: NewId = (length = ID_LENGTH) => {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  let id = ''
  for (const byte of bytes) id += ALPHABET[byte & 31]
  return id
}

/**
 * Random ids of objects, accounts, tokens, actions and more: 16 characters by default, which are 80 bits.
 * Lower case only, so that file names made of them stay distinct on file systems that ignore case; without
 * `i`, `l`, `o` and `u`, so that people can read them aloud.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export type NewId = (length?: number) => string

export const ID_LENGTH = 16

/** Random bytes are generated in bulk, because a system call costs more than encoding them. */
const randomBytes = new Uint8Array(4096)
let usedBytes = randomBytes.length

export const newId: NewId = (length = ID_LENGTH) => {
  if (usedBytes + length > randomBytes.length) {
    crypto.getRandomValues(randomBytes)
    usedBytes = 0
  }
  let id = ''
  for (const end = usedBytes + length; usedBytes < end; usedBytes++)
    id += ALPHABET[randomBytes[usedBytes]! & 31]
  return id
}

/**
 * 32 random hexadecimal digits. `randomUUID` is not used, because browsers offer it only over https and on
 * localhost.
 */
export const newId = () =>
  [...crypto.getRandomValues(new Uint32Array(4))]
    .map(randomNumber => randomNumber.toString(16).padStart(8, '0'))
    .join('')

/** 32 random hexadecimal digits. By hand, since without https a browser has no `randomUUID`. */
export const newId = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map(part => part.toString(16).padStart(8, '0')).join('')

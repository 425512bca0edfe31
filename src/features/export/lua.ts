/** Strings of Lua, in the form that every version from 5.1 on reads. */

/** What ends a string, begins an escape, or would not survive being read as text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant
const SPECIAL = /["\\\u0000-\u001f\u007f]/g

/** Always three digits: a digit that follows must not be taken for part of the number. */
const numbered = (character: string) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`

export const luaString = (text: string) => `"${text.replace(SPECIAL, numbered)}"`

/** Writes strings as Lua literals, in the form that every version of Lua from 5.1 on reads. */

/** Characters that end a string, begin an escape, or would not survive when the file is read as text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the regex has to find control characters
const SPECIAL = /["\\\u0000-\u001f\u007f]/g

/** Always writes three digits, so that a digit that follows is not taken for part of the number. */
const numbered = (character: string) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`

export const luaString = (text: string) => `"${text.replace(SPECIAL, numbered)}"`

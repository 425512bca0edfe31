/** Lua string literals, which every version of Lua from 5.1 on can read. */

/**
 * Characters that need an escape: they end a string, begin an escape, or are control characters, which may
 * change when the file is read as text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the regex has to find control characters
const SPECIAL_CHARACTERS = /["\\\u0000-\u001f\u007f]/g

/** An escape always has three digits, so that a following digit is not read as part of it. */
const numericEscape = (character: string) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`

export const luaString = (text: string) => `"${text.replace(SPECIAL_CHARACTERS, numericEscape)}"`

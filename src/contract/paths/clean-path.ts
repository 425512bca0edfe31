/**
 * Turns a path that breaks the path rules into a similar one with valid names, for uploads and renames that
 * clean names instead of refusing them. A path with too many or too long folders stays invalid. Also cleans
 * names that the service generates (`cleanGeneratedName`).
 */
import { ownValue } from '../values/own-value.ts'
import { trimBothEnds, trimTrailing } from '../values/text.ts'
import { lowerCaseAscii } from './lower-case.ts'
import { pathBelow, splitPath } from './path-parts.ts'
import { PATH_MAX_LENGTH } from './path-rules.ts'

/**
 * Letters that are replaced by one or two ASCII letters, the German ones as is usual in German. Other letters
 * only lose their accents.
 */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  þ: 'th',
}
const FALLBACK_NAME = 'datei'

/** `Schöne Bilder/Über uns (2).PNG` → `schoene-bilder/ueber-uns-2.png`. */
export function cleanPath(path: string): string {
  return shortenName(path.split('/').map(cleanSegment).join('/'))
}

/** The text in lower case, with German transliteration and without accents: `Größe` → `groesse`. */
export const transliterate = (text: string) =>
  lowerWithoutAccents(
    lowerCaseAscii(text.normalize('NFC').toLowerCase()).replace(
      /[^\0-\x7f]/g,
      letter => ownValue(TRANSLITERATIONS, letter) ?? letter,
    ),
  )

/** The text in lower case, without accents: `Größe` → `große`. */
export const lowerWithoutAccents = (text: string) =>
  text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')

function cleanSegment(segment: string): string {
  const plainText = transliterate(segment)
  const allowedText = plainText
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/-+(?=[._-])/g, '')
    .replace(/^[^a-z0-9]+/, '')
  const cleanedName = trimTrailing(allowedText, '-.')
  // Of `(!).png` only `png` is left, which is an extension without a name.
  const isOnlyExtension = cleanedName !== '' && plainText.endsWith(`.${cleanedName}`)
  if (isOnlyExtension && !segment.startsWith('.')) return `${FALLBACK_NAME}.${cleanedName}`
  return cleanedName === '' ? FALLBACK_NAME : cleanedName
}

/**
 * If the path is too long, shortens the name of the file; if even that is not enough, returns the path
 * unchanged. The folder is never shortened: files of one folder could then end up in different ones.
 */
function shortenName(path: string): string {
  const excessLength = path.length - PATH_MAX_LENGTH
  if (excessLength <= 0) return path
  const { folder, stem, extension } = splitPath(path)
  if (stem.length <= excessLength) return path
  const shortenedStem = trimTrailing(stem.slice(0, -excessLength), '-.')
  return pathBelow(folder, shortenedStem + extension)
}

/** Characters allowed in a name, but not at either end of a generated one. */
const PUNCTUATION = '._-'

/**
 * Cleans a generated name: lower case, `-` for forbidden characters, no punctuation at either end, at most
 * `maxLength` characters.
 */
export function cleanGeneratedName(stem: string, maxLength: number): string {
  const cleanedName = stem.toLowerCase().replace(/[^a-z0-9._-]+/g, '-')
  return trimBothEnds(trimBothEnds(cleanedName, PUNCTUATION).slice(0, Math.max(maxLength, 0)), PUNCTUATION)
}

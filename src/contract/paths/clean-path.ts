/** Changes a name into a similar one that the path rules allow. Used where the caller has asked for it. */
import { ownValue } from '../values/own-value.ts'
import { trimEndOf } from '../values/text.ts'
import { lowerCased, PATH_MAX_LENGTH, splitPath } from './paths.ts'

/** Letters that are transcribed as in German; of all other letters only the accents are removed. */
const LETTERS: Readonly<Record<string, string>> = {
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
const NAMELESS = 'datei'

/** `Schöne Bilder/Über uns (2).PNG` → `schoene-bilder/ueber-uns-2.png`. */
export function cleanPath(path: string): string {
  return shorten(path.split('/').map(cleanSegment).join('/'))
}

/** The text in lower case, with German transcription and without accents: `Größe` → `groesse`. */
export const plainLetters = (text: string) =>
  lowerWithoutAccents(
    lowerCased(text.normalize('NFC').toLowerCase()).replace(
      /[^\0-\x7f]/g,
      letter => ownValue(LETTERS, letter) ?? letter,
    ),
  )

/** The text in lower case, without accents: `Größe` → `große`. */
export const lowerWithoutAccents = (text: string) =>
  text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')

function cleanSegment(segment: string): string {
  const plain = plainLetters(segment)
  const allowed = plain
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/-+(?=[._-])/g, '')
    .replace(/^[^a-z0-9]+/, '')
  const cleaned = trimEndOf(allowed, '-.')
  // In `(!).png` nothing but the extension is left.
  const onlyExtension = cleaned !== '' && plain.endsWith(`.${cleaned}`)
  if (onlyExtension && !segment.startsWith('.')) return `${NAMELESS}.${cleaned}`
  return cleaned === '' ? NAMELESS : cleaned
}

/** Only the file name is shortened: a shortened folder would be a different folder for each file. */
function shorten(path: string): string {
  const over = path.length - PATH_MAX_LENGTH
  if (over <= 0) return path
  const { folder, stem, extension } = splitPath(path)
  if (stem.length <= over) return path
  const kept = trimEndOf(stem.slice(0, -over), '-.')
  return `${folder === '' ? '' : `${folder}/`}${kept}${extension}`
}

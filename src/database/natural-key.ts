/**
 * The key that sorts paths naturally (`a-3` before `a-11`): each number in the path loses its leading zeros
 * and is prefixed with its length. Keys are compared byte by byte, as paths are. Migration 0027 implements
 * the same rule in SQL, for rows that are inserted without a key.
 */

/**
 * Minimum number of digits of a long number. The prefix of a long number is a 9 and then its length, written
 * with three digits. The prefix of any other number is its length, which is a single digit.
 */
const LONG_NUMBER_DIGITS = 9

export const naturalKey = (path: string) =>
  path.replace(/[0-9]+/g, digits => {
    const significantDigits = digits.startsWith('0') ? digits.replace(/^0+(?=[0-9])/, '') : digits
    const { length } = significantDigits
    return `${length < LONG_NUMBER_DIGITS ? length : `${LONG_NUMBER_DIGITS}${String(length).padStart(3, '0')}`}${significantDigits}`
  })

/**
 * Sorts items naturally by name. Names that differ only in leading zeros are compared character by character.
 * The key of each name is computed once, because computing it is slow.
 */
export function sortNaturally<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  if (items.length < 2) return [...items]
  const keyedItems = items.map(item => ({ item, name: nameOf(item), key: naturalKey(nameOf(item)) }))
  keyedItems.sort((a, b) => (a.key === b.key ? (a.name < b.name ? -1 : 1) : a.key < b.key ? -1 : 1))
  return keyedItems.map(({ item }) => item)
}

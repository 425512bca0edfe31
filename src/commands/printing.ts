/** How commands print for people: numbers, times, and lists that may be long. */
import type { Names } from '../features/integrity/names.ts'

export const number = (value: number) => value.toLocaleString('de-DE')

/** For example `15.11.2026, 04:10`, in local time. */
export const shortTime = (at: number) =>
  new Date(at).toLocaleString('de-DE', { dateStyle: 'medium', timeStyle: 'short' })

/** The number of names that a readable report shows of each list; the JSON report has more. */
const SHOWN = 20

/** One line for each of the first names, and one that counts the others. */
export function firstNames({ count, names }: Names): string[] {
  const more = count - Math.min(names.length, SHOWN)
  const lines = names.slice(0, SHOWN).map(name => `  ${name}`)
  return more > 0 ? [...lines, `  … und ${number(more)} weitere`] : lines
}

/** The lines of a list with its title and advice; no lines when the list is empty. */
export function section(title: string, list: Names, advice?: string): string[] {
  if (list.count === 0) return []
  const advised = advice === undefined ? [] : [`  ${advice}`]
  return ['', `${title}: ${number(list.count)}`, ...firstNames(list), ...advised]
}

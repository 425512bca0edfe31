/** How commands print for people: numbers, times, and lists that may be long. */
import type { Names } from '../features/integrity/names.ts'

export const number = (value: number) => value.toLocaleString('de-DE')

/** For example `15.11.2026, 04:10`, in local time. */
export const shortTime = (at: number) =>
  new Date(at).toLocaleString('de-DE', { dateStyle: 'medium', timeStyle: 'short' })

/** The number of names that a readable report shows of each list; the JSON report has more. */
const SHOWN = 20

/** The lines of a list with its title and advice; no lines when the list is empty. */
export function section(title: string, { count, names }: Names, advice?: string): string[] {
  if (count === 0) return []
  const more = count - Math.min(names.length, SHOWN)
  return [
    '',
    `${title}: ${number(count)}`,
    ...names.slice(0, SHOWN).map(name => `  ${name}`),
    ...(more > 0 ? [`  … und ${number(more)} weitere`] : []),
    ...(advice === undefined ? [] : [`  ${advice}`]),
  ]
}

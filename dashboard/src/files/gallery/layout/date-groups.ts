/** Groups files under date headings, if the list is sorted by a time. */
import type { SortOrder } from '../../../../../src/contract/files/choices.ts'
import type { FileAnswer } from '../../types.ts'
import type { FileGroup } from './layout.ts'

export interface DateWords {
  today: string
  yesterday: string
  week: string
  neverViewed: string
  /** Formats a month with its year. */
  month(time: number): string
}

const DAYS_OF_WEEK = 7

/**
 * If the list is sorted by a time, groups by today, yesterday, the last seven days, months, and never viewed.
 * Older days have no headings of their own, since each would often have a single file. In any other sort
 * order all files are one group without a heading.
 */
export function dateGroups(
  files: readonly FileAnswer[],
  order: SortOrder,
  words: DateWords,
  now: number,
): readonly FileGroup<FileAnswer>[] {
  if (order !== 'updated_at' && order !== 'zuletzt_abgerufen') return [{ text: '', files }]
  const headingOf = createHeadingFormatter(words, now)
  const groups: { text: string; files: FileAnswer[] }[] = []
  for (const file of files) {
    const text = headingOf(file[order])
    const lastGroup = groups.at(-1)
    if (lastGroup?.text === text) lastGroup.files.push(file)
    else groups.push({ text, files: [file] })
  }
  return groups
}

function createHeadingFormatter(words: DateWords, now: number): (time: number | null) => string {
  const startOfDay = (daysAgo: number) => {
    const day = new Date(now)
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime()
  }
  const [todayStart, yesterdayStart, weekStart] = [startOfDay(0), startOfDay(1), startOfDay(DAYS_OF_WEEK - 1)]
  return time => {
    if (time === null) return words.neverViewed
    if (time >= todayStart) return words.today
    if (time >= yesterdayStart) return words.yesterday
    return time >= weekStart ? words.week : words.month(time)
  }
}

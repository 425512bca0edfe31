/** A list of entries of the history, grouped by day. */
import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../language/language.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { daysAgo, groupByDay } from './days.ts'
import classes from './history.module.css'
import { words } from './words.ts'

export interface DayListProps<Entry> {
  entries: readonly Entry[]
  renderEntry(entry: Entry): ReactNode
}

export function DayList<Entry extends { zeit: number; was: string }>({
  entries,
  renderEntry,
}: DayListProps<Entry>) {
  const { w, format } = useTexts(words)
  const now = useNow()
  if (entries.length === 0) return null
  const headingOf = (time: number) => [w.today, w.yesterday][daysAgo(time, now)] ?? format.day(time)
  return (
    <Stack gap="lg" mb="md">
      {groupByDay(entries).map(({ firstEntryTime, entries: dayEntries }) => (
        <section key={firstEntryTime} aria-label={headingOf(firstEntryTime)}>
          <Title order={2} fz="sm" c="dimmed" fw={600} mb="xs">
            {headingOf(firstEntryTime)}
          </Title>
          <Panel p={0}>
            <ol>
              {dayEntries.map((entry, index) => (
                // The key contains the index, because entries have no id and several may have the same time.
                <li key={`${entry.zeit}-${entry.was}-${index}`} className={classes.entry}>
                  {renderEntry(entry)}
                </li>
              ))}
            </ol>
          </Panel>
        </section>
      ))}
    </Stack>
  )
}

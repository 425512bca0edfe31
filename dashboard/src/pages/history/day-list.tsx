/** A list of entries of the history, grouped by day. */
import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../language/language.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { useNow } from '../../ui/time.tsx'
import { byDay, daysAgo } from './days.ts'
import classes from './history.module.css'
import { words } from './words.ts'

export interface DayListProps<Entry> {
  entries: readonly Entry[]
  line(entry: Entry): ReactNode
}

export function DayList<Entry extends { zeit: number; was: string }>({ entries, line }: DayListProps<Entry>) {
  const { w, format } = useTexts(words)
  const now = useNow()
  if (entries.length === 0) return null
  const headingOf = (at: number) => [w.today, w.yesterday][daysAgo(at, now)] ?? format.day(at)
  return (
    <Stack gap="lg" mb="md">
      {byDay(entries).map(({ at, entries: ofDay }) => (
        <section key={at} aria-label={headingOf(at)}>
          <Title order={2} fz="sm" c="dimmed" fw={600} mb="xs">
            {headingOf(at)}
          </Title>
          <Panel p={0}>
            <ol>
              {ofDay.map((entry, index) => (
                // Entries have no id, and several may have the same time.
                <li key={`${entry.zeit}-${entry.was}-${index}`} className={classes.entry}>
                  {line(entry)}
                </li>
              ))}
            </ol>
          </Panel>
        </section>
      ))}
    </Stack>
  )
}

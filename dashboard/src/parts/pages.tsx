/** Which part of a long list is shown, and the way to the next and the previous one. */
import { Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTexts } from '../language/language.tsx'
import { IconButton } from './buttons.tsx'
import { words } from './words.ts'

export interface PagesProps {
  /** As on the wire: `seite` from 1, `anzahl` per page, `gesamt` in all. */
  seite: number
  anzahl: number
  gesamt: number
  onPage(seite: number): void
}

export function Pages({ seite, anzahl, gesamt, onPage }: PagesProps) {
  const { w, format } = useTexts(words)
  if (gesamt === 0) return null
  const first = (seite - 1) * anzahl + 1
  const last = Math.min(seite * anzahl, gesamt)
  return (
    <Group component="nav" gap={4} justify="flex-end">
      <Text size="sm" c="dimmed" mr="xs" aria-live="polite">
        {w.page(format.number(first), format.number(last), format.number(gesamt))}
      </Text>
      <IconButton
        icon={IconChevronLeft}
        label={w.previousPage}
        variant="default"
        size="lg"
        disabled={seite <= 1}
        onClick={() => onPage(seite - 1)}
      />
      <IconButton
        icon={IconChevronRight}
        label={w.nextPage}
        variant="default"
        size="lg"
        disabled={last >= gesamt}
        onClick={() => onPage(seite + 1)}
      />
    </Group>
  )
}

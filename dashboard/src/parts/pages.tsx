/** Which part of a long list is shown, and the way to the other parts. */
import { Group, Text, UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTexts } from '../language/language.tsx'
import { IconButton } from './buttons.tsx'
import { pageNumbers } from './page-numbers.ts'
import classes from './pages.module.css'
import { words } from './words.ts'

export interface PagesProps {
  /** As on the wire: `seite` from 1, `anzahl` per page, `gesamt` in all. */
  seite: number
  anzahl: number
  gesamt: number
  onPage(seite: number): void
  /** The buttons have come into sight, on each page where there is a next one. */
  onInSight?: () => void
}

export function Pages({ seite, anzahl, gesamt, onPage, onInSight }: PagesProps) {
  const { w, format } = useTexts(words)
  const nav = useRef<HTMLDivElement>(null)
  const seen = useEffectEvent(() => onInSight?.())
  useEffect(() => {
    if (!nav.current || seite * anzahl >= gesamt) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen())
    observer.observe(nav.current)
    return () => observer.disconnect()
  }, [seite, anzahl, gesamt])
  if (gesamt === 0) return null
  const first = (seite - 1) * anzahl + 1
  const last = Math.min(seite * anzahl, gesamt)
  const told = (
    <Text size="sm" c="dimmed" mr="xs" ta="right" aria-live="polite">
      {w.page(format.number(first), format.number(last), format.number(gesamt))}
    </Text>
  )
  // With one page there is nowhere to go.
  if (seite === 1 && gesamt <= anzahl) return told
  return (
    <Group ref={nav} component="nav" aria-label={w.pages} gap={4} w="fit-content" ml="auto">
      {told}
      <IconButton
        icon={IconChevronLeft}
        label={w.previousPage}
        variant="default"
        size="lg"
        disabled={seite <= 1}
        onClick={() => onPage(seite - 1)}
      />
      <Numbers seite={seite} pages={Math.ceil(gesamt / anzahl)} onPage={onPage} />
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

/** On a phone there is no room for them. */
function Numbers({ seite, pages, onPage }: Pick<PagesProps, 'seite' | 'onPage'> & { pages: number }) {
  const { w, format } = useTexts(words)
  return pageNumbers(seite, pages).map((page, at, all) =>
    page === null ? (
      <span key={`behind ${all[at - 1]}`} className={classes.gap} aria-hidden>
        …
      </span>
    ) : (
      <UnstyledButton
        key={page}
        className={classes.number}
        aria-label={w.pageNumber(format.number(page))}
        aria-current={page === seite ? 'page' : undefined}
        onClick={() => onPage(page)}
      >
        {format.number(page)}
      </UnstyledButton>
    ),
  )
}

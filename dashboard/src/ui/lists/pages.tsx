/** The pagination of a long list: position, page numbers, and buttons for the previous and next page. */
import { Group, Text, UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ComponentProps, SubmitEvent } from 'react'
import { useTexts } from '../../language/language.tsx'
import { IconButton } from '../buttons.tsx'
import { words } from '../words.ts'
import { pageNumbers } from './page-numbers.ts'
import classes from './pages.module.css'

export interface PaginationProps {
  /**
   * Named as on the wire: `seite` is the page, from 1; `anzahl` the number of entries per page; `gesamt` the
   * number of all entries.
   */
  seite: number
  anzahl: number
  gesamt: number
  onPage(seite: number): void
  /**
   * Called when the pointer or the focus reaches a button that opens page `seite`, so that it can be
   * prefetched.
   */
  onApproach?(seite: number): void
}

export function Pagination({ seite, anzahl, gesamt, onPage, onApproach }: PaginationProps) {
  const { w, format } = useTexts(words)
  const firstEntry = (seite - 1) * anzahl + 1
  // The list is empty or has no such page. The caller then shows a message or another page.
  if (firstEntry > gesamt) return null
  const lastEntry = Math.min(seite * anzahl, gesamt)
  const positionText = (
    <Text size="sm" c="dimmed" mr="xs" ta="right" aria-live="polite">
      {firstEntry === lastEntry
        ? w.ofTotal(format.number(firstEntry), format.number(gesamt))
        : w.page(format.number(firstEntry), format.number(lastEntry), format.number(gesamt))}
    </Text>
  )
  const buttonHandlersOf = (page: number) => ({
    onClick: () => onPage(page),
    onPointerEnter: () => onApproach?.(page),
    onFocus: () => onApproach?.(page),
  })
  // A single page needs no page numbers.
  if (seite === 1 && gesamt <= anzahl) return positionText
  return (
    <Group component="nav" aria-label={w.pages} gap={4} w="fit-content" ml="auto">
      {positionText}
      <IconButton
        icon={IconChevronLeft}
        label={w.previousPage}
        variant="default"
        size="lg"
        disabled={seite <= 1}
        {...buttonHandlersOf(seite - 1)}
      />
      <PageNumbers
        seite={seite}
        pageCount={Math.ceil(gesamt / anzahl)}
        onPage={onPage}
        buttonHandlersOf={buttonHandlersOf}
      />
      <IconButton
        icon={IconChevronRight}
        label={w.nextPage}
        variant="default"
        size="lg"
        disabled={lastEntry >= gesamt}
        {...buttonHandlersOf(seite + 1)}
      />
    </Group>
  )
}

/**
 * The page numbers. Where numbers are left out, there is a field in which one can be typed. On a phone only
 * the first such field is shown, and no page numbers.
 */
function PageNumbers({
  seite,
  pageCount,
  onPage,
  buttonHandlersOf,
}: Pick<PaginationProps, 'seite' | 'onPage'> & {
  pageCount: number
  buttonHandlersOf(page: number): ComponentProps<typeof UnstyledButton>
}) {
  const { w, format } = useTexts(words)
  return pageNumbers(seite, pageCount).map((page, index, shownPages) =>
    page === null ? (
      <PageJump key={`behind ${shownPages[index - 1]}`} pageCount={pageCount} onPage={onPage} />
    ) : (
      <UnstyledButton
        key={page}
        className={classes.number}
        aria-label={w.pageNumber(format.number(page))}
        aria-current={page === seite ? 'page' : undefined}
        {...buttonHandlersOf(page)}
      >
        {format.number(page)}
      </UnstyledButton>
    ),
  )
}

/** A field in place of page numbers that are left out, in which the number of any page can be typed. */
function PageJump({ pageCount, onPage }: Pick<PaginationProps, 'onPage'> & { pageCount: number }) {
  const { w, format } = useTexts(words)
  const label = w.jump(format.number(pageCount))
  const goToPage = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typedPage = Number(String(new FormData(event.currentTarget).get('seite')).replace(/\D/g, ''))
    if (typedPage > 0) onPage(Math.min(typedPage, pageCount))
    event.currentTarget.reset()
  }
  return (
    <form className={classes.gap} onSubmit={goToPage}>
      <input
        name="seite"
        inputMode="numeric"
        autoComplete="off"
        placeholder="…"
        aria-label={label}
        title={label}
      />
    </form>
  )
}

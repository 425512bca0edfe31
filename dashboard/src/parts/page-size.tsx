/** How many entries a page shows. */
import { NativeSelect } from '@mantine/core'
import { PAGE_SIZES } from '../../../src/contract/limits.ts'
import { useWords } from '../language/language.tsx'
import { words } from './words.ts'

export type PageSizeValue = (typeof PAGE_SIZES)[number]

export function PageSize({
  value,
  onChange,
}: {
  value: PageSizeValue
  onChange(value: PageSizeValue): void
}) {
  const w = useWords(words)
  return (
    <NativeSelect
      aria-label={w.perPage}
      data={PAGE_SIZES.map(size => ({ value: String(size), label: w.manyPerPage(size) }))}
      value={String(value)}
      onChange={event => onChange(Number(event.currentTarget.value) as PageSizeValue)}
    />
  )
}

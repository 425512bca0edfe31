/** The button that opens the filters. */
import { IconFilter, IconFilterFilled } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useWords } from '../../language/language.tsx'
import { hasActiveFilters } from '../../state/filter-search.ts'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { useFilesAddress } from '../listing/search.ts'
import { words } from '../words.ts'
import { ToolbarButton } from './tool.tsx'

/** The code of the filter fields is loaded when the user opens them. */
const FilterFields = lazy(() => import('../filters/filter-fields.tsx'))

export function FilterControl() {
  const w = useWords(words)
  const { search } = useFilesAddress()
  const hasFilters = hasActiveFilters(search)
  return (
    <ToolbarButton
      icon={hasFilters ? IconFilterFilled : IconFilter}
      label={w.filter}
      isHighlighted={hasFilters}
    >
      {() => (
        <Suspense fallback={<RowsSkeleton rows={6} height={32} />}>
          <FilterFields />
        </Suspense>
      )}
    </ToolbarButton>
  )
}

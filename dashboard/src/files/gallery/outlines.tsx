/** Outlines that are shown in place of files until the first answer. */
import { Skeleton } from '@mantine/core'
import { indexesUpTo, LoadingStatus, RowsSkeleton } from '../../ui/skeletons.tsx'
import type { View } from '../looks.ts'
import classes from './cards.module.css'

/**
 * The ratios of width to height of the outlines in justified rows: different ones, as real pictures have.
 */
const OUTLINE_RATIOS = [3 / 2, 4 / 3, 2 / 3, 16 / 9, 1, 3 / 2, 3 / 4, 4 / 3, 16 / 9, 1, 2 / 3, 3 / 2]

export function Outlines({ view }: { view: View }) {
  if (view === 'list') return <RowsSkeleton />
  return (
    <div className={classes.outlines} data-view={view}>
      <LoadingStatus />
      {indexesUpTo(OUTLINE_RATIOS.length).map(at => (
        <Skeleton key={at} className={classes.outline ?? ''} style={{ flexGrow: OUTLINE_RATIOS[at] }} />
      ))}
    </div>
  )
}

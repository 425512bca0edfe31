/** Placeholders that are shown until the first answer with files arrives. */
import { Skeleton } from '@mantine/core'
import { indexRange, LoadingStatus, RowsSkeleton } from '../../ui/skeletons.tsx'
import type { View } from '../view-options.ts'
import classes from './cards.module.css'

/** The aspect ratios (width / height) of placeholders in justified rows. They vary like those of pictures. */
const PLACEHOLDER_RATIOS = [3 / 2, 4 / 3, 2 / 3, 16 / 9, 1, 3 / 2, 3 / 4, 4 / 3, 16 / 9, 1, 2 / 3, 3 / 2]

export function GallerySkeleton({ view }: { view: View }) {
  if (view === 'list') return <RowsSkeleton />
  return (
    <div className={classes.outlines} data-view={view}>
      <LoadingStatus />
      {indexRange(PLACEHOLDER_RATIOS.length).map(index => (
        <Skeleton
          key={index}
          className={classes.outline ?? ''}
          style={{ flexGrow: PLACEHOLDER_RATIOS[index] }}
        />
      ))}
    </div>
  )
}

/**
 * The toolbar of the list, which is a single Tab stop. View, sort order and filter have buttons; the last
 * button opens all other options.
 */
import { useWords } from '../../language/language.tsx'
import { RovingFocus } from '../../ui/keys/roving-focus.tsx'
import { words } from '../words.ts'
import classes from './bar.module.css'
import { FilterControl } from './filter-control.tsx'
import { MoreControl } from './more-control.tsx'
import { SortControl } from './sort-control.tsx'
import { ViewControl } from './view-control.tsx'

export function Toolbar() {
  const w = useWords(words)
  return (
    <RovingFocus label={w.tools} className={classes.tools}>
      <ViewControl />
      <SortControl />
      <FilterControl />
      <MoreControl />
    </RovingFocus>
  )
}

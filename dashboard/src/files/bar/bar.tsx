/**
 * The row above the files, which stays visible while the page scrolls: path of the folder, scope of the
 * search, number of files, and toolbar.
 */
import { Text } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useTexts } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useFilesPage } from '../files-context.ts'
import { useFilesAddress } from '../listing/search.ts'
import { words } from '../words.ts'
import classes from './bar.module.css'
import { Breadcrumbs, type TreeSwitch } from './breadcrumbs.tsx'
import { SearchScope } from './search-scope.tsx'
import { Toolbar } from './toolbar.tsx'

export interface BarProps {
  treeSwitch: TreeSwitch
}

export function FilesBar({ treeSwitch }: BarProps) {
  const title = useTitle()
  useDocumentTitle(`${title} – Fundus`)
  return (
    <div className={classes.bar}>
      <div className={classes.row}>
        <Breadcrumbs title={title} treeSwitch={treeSwitch} />
        <SearchScope />
        <FileCount />
        <Toolbar />
      </div>
    </div>
  )
}

function useTitle(): string {
  const { w } = useTexts(words)
  const { search } = useFilesAddress()
  if (search.suche !== '') return w.results(search.suche)
  return search.ordner === '' ? w.top : nameOf(search.ordner)
}

/** The number of files in this folder, or of results of the search and the filters. */
function FileCount() {
  const { w, format } = useTexts(words)
  const { search } = useFilesAddress()
  const { gesamt } = useFilesPage().listing.data ?? {}
  const countTextOf = search.suche === '' ? w.filesCounted : w.resultCount
  return (
    <Text size="sm" c="dimmed" className={classes.count} role="status">
      {gesamt !== undefined && countTextOf(gesamt, format.number(gesamt))}
    </Text>
  )
}

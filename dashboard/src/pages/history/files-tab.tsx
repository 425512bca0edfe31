/** The tab with the history of the files. */
import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Pagination } from '../../ui/lists/pages.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { DayList } from './day-list.tsx'
import { EntryLine, type HistoryEntry } from './entry-line.tsx'
import { HistoryFilters } from './filters.tsx'
import { GroupLine, isUndoableRemoval, UndoButton } from './group-line.tsx'
import classes from './history.module.css'
import { filterOf, type HistorySearch, isFiltered, NO_FILTER, type SetHistorySearch } from './search.ts'
import { words } from './words.ts'

export function FilesTab({ search, setSearch }: { search: HistorySearch; setSearch: SetHistorySearch }) {
  const w = useWords(words)
  const query = { ...filterOf(search), gruppen: '1' as const, seite: Math.max(1, search.seite) }
  const historyQuery = useGet('verlauf', { query, keepPrevious: true })
  const hasFilter = isFiltered(search)
  return (
    <>
      <HistoryFilters search={search} setSearch={setSearch} />
      <QueryResult query={historyQuery} skeleton={<RowsSkeleton />}>
        {data => (
          <>
            {data.eintraege.length === 0 && (
              <EmptyState
                icon={IconHistory}
                title={hasFilter ? w.noMatch : w.empty}
                description={hasFilter ? w.noMatchHint : w.emptyHint}
              >
                {hasFilter && (
                  <Button variant="default" onClick={() => setSearch(NO_FILTER)}>
                    {w.clear}
                  </Button>
                )}
              </EmptyState>
            )}
            <DayList
              entries={data.eintraege}
              renderEntry={entry =>
                (entry.dateien ?? 1) > 1 ? <GroupLine entry={entry} /> : <SingleFileLine entry={entry} />
              }
            />
            <Pagination {...data} onPage={seite => setSearch({ seite })} />
          </>
        )}
      </QueryResult>
    </>
  )
}

function SingleFileLine({ entry }: { entry: HistoryEntry }) {
  return (
    <>
      <EntryLine entry={entry} />
      {isUndoableRemoval(entry) && (
        <div className={classes.members}>
          <UndoButton actionId={entry.aktion ?? null} fileCount={1} />
        </div>
      )}
    </>
  )
}

/** The history of the files. */
import { Button } from '@mantine/core'
import {
  IconArrowBackUp,
  IconFolderSymlink,
  IconHistory,
  IconPencil,
  IconRefresh,
  IconTrash,
  IconTrashX,
  IconUpload,
} from '@tabler/icons-react'
import { NOT_SCALED } from '../../../../src/contract/limits.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { useGet } from '../../api/use-get.ts'
import { useFormat, useWords } from '../../language/language.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Pages } from '../../parts/pages.tsx'
import { RowsSkeleton } from '../../parts/skeletons.tsx'
import { Time } from '../../parts/time.tsx'
import { words as sharedWords } from '../../parts/words.ts'
import { DayList } from './day-list.tsx'
import { Filters } from './filters.tsx'
import classes from './history.module.css'
import { filterOf, type HistorySearch, isFiltered, NO_FILTER, type SetHistorySearch } from './search.ts'
import { Actor, FilePath, SentenceLine } from './sentence-line.tsx'
import { sentences, words } from './words.ts'

type Entry = GetRoutes['verlauf']['answer']['eintraege'][number]

const SIGNS = {
  hochgeladen: IconUpload,
  ueberschrieben: IconRefresh,
  umbenannt: IconPencil,
  verschoben: IconFolderSymlink,
  geloescht: IconTrash,
  wiederhergestellt: IconArrowBackUp,
  entfernt: IconTrashX,
} as const satisfies Record<Entry['was'], unknown>

/** After these the file is gone, so its path is no link. */
const GONE: ReadonlySet<Entry['was']> = new Set(['geloescht', 'entfernt'] as const)

export function FilesTab({ search, setSearch }: { search: HistorySearch; setSearch: SetHistorySearch }) {
  const w = useWords(words)
  const query = { ...filterOf(search), seite: Math.max(1, search.seite) }
  const answer = useGet('verlauf', { query, keepPrevious: true })
  const filtered = isFiltered(search)
  return (
    <>
      <Filters search={search} setSearch={setSearch} />
      <Loaded query={answer} waiting={<RowsSkeleton />}>
        {data => (
          <>
            {data.eintraege.length === 0 && (
              <EmptyState
                icon={IconHistory}
                title={filtered ? w.noMatch : w.empty}
                description={filtered ? w.noMatchHint : w.emptyHint}
              >
                {filtered && (
                  <Button variant="default" onClick={() => setSearch(NO_FILTER)}>
                    {w.clear}
                  </Button>
                )}
              </EmptyState>
            )}
            <DayList entries={data.eintraege} line={entry => <Line entry={entry} />} />
            <Pages {...data} onPage={seite => setSearch({ seite })} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Line({ entry: { zeit, was, pfad, wer, bytes, einzelheiten } }: { entry: Entry }) {
  const format = useFormat()
  const { notScaled } = useWords(sharedWords)
  const template = useWords(sentences)[was]
  const Sign = SIGNS[was]
  return (
    <>
      <Sign size={18} stroke={1.6} className={classes.sign} aria-hidden />
      <SentenceLine
        template={template}
        gaps={{
          wer: <Actor wer={wer} />,
          pfad: <FilePath path={pfad} linked={!GONE.has(was)} />,
          vorher: <FilePath path={einzelheiten ?? '?'} />,
          groesse: format.bytes(bytes),
        }}
        note={einzelheiten === NOT_SCALED ? notScaled : null}
      />
      <span className={classes.when}>
        <Time at={zeit} />
      </span>
    </>
  )
}

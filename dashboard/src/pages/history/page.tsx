import { IconHistory } from '@tabler/icons-react'
import { useGet } from '../../api/use-get.ts'
import { number, useSearchState } from '../../hooks/use-search-state.ts'
import { useFormat, useWords } from '../../language/language.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowsSkeleton } from '../../parts/skeletons.tsx'
import { Time } from '../../parts/time.tsx'
import { words } from './words.ts'

const SEARCH = { seite: number(1) }

export default function HistoryPage() {
  const w = useWords(words)
  const format = useFormat()
  const [{ seite }, setSearch] = useSearchState(SEARCH)
  const { data, error, refetch } = useGet('verlauf', { query: { seite }, keepPrevious: true })
  return (
    <>
      <PageHeader title={w.title} description={w.description} />
      <ErrorNotice error={error} onRetry={refetch} />
      {!data && !error && <RowsSkeleton />}
      {data && data.eintraege.length === 0 && (
        <EmptyState icon={IconHistory} title={w.empty} description={w.emptyHint} />
      )}
      {data && data.eintraege.length > 0 && (
        <Panel p={0}>
          <DataTable
            label={w.title}
            rows={data.eintraege}
            rowKey={row => `${row.zeit} ${row.was} ${row.pfad}`}
            columns={[
              { key: 'time', title: w.time, cell: row => <Time at={row.zeit} /> },
              { key: 'what', title: w.what, cell: row => row.was },
              { key: 'path', title: w.path, cell: row => row.pfad },
              { key: 'who', title: w.who, cell: row => row.wer },
              { key: 'size', title: w.size, align: 'right', cell: row => format.bytes(row.bytes) },
            ]}
          />
        </Panel>
      )}
      {data && <Pages {...data} onPage={page => setSearch({ seite: page })} />}
    </>
  )
}

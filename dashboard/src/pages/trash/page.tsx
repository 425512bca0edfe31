import { IconTrash } from '@tabler/icons-react'
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

export default function TrashPage() {
  const w = useWords(words)
  const format = useFormat()
  const [{ seite }, setSearch] = useSearchState(SEARCH)
  const { data, error, refetch } = useGet('papierkorb', { query: { seite }, keepPrevious: true })
  return (
    <>
      <PageHeader title={w.title} description={w.description} />
      <ErrorNotice error={error} onRetry={refetch} />
      {!data && !error && <RowsSkeleton />}
      {data && data.eintraege.length === 0 && (
        <EmptyState icon={IconTrash} title={w.empty} description={w.emptyHint} />
      )}
      {data && data.eintraege.length > 0 && (
        <Panel p={0}>
          <DataTable
            label={w.title}
            rows={data.eintraege}
            rowKey={row => row.nr}
            columns={[
              { key: 'path', title: w.path, cell: row => row.path },
              { key: 'size', title: w.size, align: 'right', cell: row => format.bytes(row.size) },
              { key: 'deleted', title: w.deleted, cell: row => <Time at={row.geloescht_am} /> },
              { key: 'expires', title: w.expires, cell: row => <Time at={row.verfaellt_am} /> },
            ]}
          />
        </Panel>
      )}
      {data && <Pages {...data} onPage={page => setSearch({ seite: page })} />}
    </>
  )
}

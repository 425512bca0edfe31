import { IconShare2 } from '@tabler/icons-react'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowsSkeleton } from '../../parts/skeletons.tsx'
import { Time } from '../../parts/time.tsx'
import { words } from './words.ts'

export default function SharesPage() {
  const w = useWords(words)
  const { data, error, refetch } = useGet('freigaben')
  return (
    <>
      <PageHeader title={w.title} description={w.description} />
      <ErrorNotice error={error} onRetry={refetch} />
      {!data && !error && <RowsSkeleton />}
      {data && data.length === 0 && (
        <EmptyState icon={IconShare2} title={w.empty} description={w.emptyHint} />
      )}
      {data && data.length > 0 && (
        <Panel p={0}>
          <DataTable
            label={w.title}
            rows={data}
            rowKey={row => row.schluessel}
            columns={[
              { key: 'folder', title: w.folder, cell: row => row.ordner },
              { key: 'made', title: w.made, cell: row => <Time at={row.erstellt_am} /> },
              { key: 'by', title: w.by, cell: row => row.erstellt_von },
            ]}
          />
        </Panel>
      )}
    </>
  )
}

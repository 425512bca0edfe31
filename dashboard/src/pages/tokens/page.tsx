import { IconKey } from '@tabler/icons-react'
import { useGet } from '../../api/use-get.ts'
import { useFormat, useWords } from '../../language/language.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowsSkeleton } from '../../parts/skeletons.tsx'
import { Time } from '../../parts/time.tsx'
import { words } from './words.ts'

export default function TokensPage() {
  const w = useWords(words)
  const format = useFormat()
  const { data, error, refetch } = useGet('tokens')
  return (
    <>
      <PageHeader title={w.title} description={w.description} />
      <ErrorNotice error={error} onRetry={refetch} />
      {!data && !error && <RowsSkeleton />}
      {data && data.length === 0 && <EmptyState icon={IconKey} title={w.empty} description={w.emptyHint} />}
      {data && data.length > 0 && (
        <Panel p={0}>
          <DataTable
            label={w.title}
            rows={data}
            rowKey={row => row.id}
            columns={[
              { key: 'name', title: w.name, cell: row => row.name },
              { key: 'files', title: w.files, align: 'right', cell: row => format.number(row.dateien) },
              { key: 'size', title: w.size, align: 'right', cell: row => format.bytes(row.bytes) },
              { key: 'used', title: w.used, cell: row => <Time at={row.zuletzt_benutzt} /> },
            ]}
          />
        </Panel>
      )}
    </>
  )
}

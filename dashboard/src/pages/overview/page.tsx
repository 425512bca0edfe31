/**
 * The overview: figures, downloads, kinds of files, lists of files and, for operators, the health of the
 * service. While the service has no files, operators see the first steps in place of the figures and lists.
 */
import { Skeleton, Stack } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { hasMinimumRole } from '../../state/rights.ts'
import { RetrievalChart } from '../../ui/charts/retrieval-chart.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { Figures } from './figures.tsx'
import { FileLists } from './file-lists.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ServiceHealth } from './health.tsx'
import { KindsBar } from './kinds-bar.tsx'
import { words } from './words.ts'

/** Milliseconds between two requests. The page polls because no event reports retrievals. */
const REFETCH_INTERVAL_MS = 60_000

export default function OverviewPage() {
  const w = useWords(words)
  const { data, error, refetch } = useGet('uebersicht', { refetchInterval: () => REFETCH_INTERVAL_MS })
  return (
    <>
      <PageHeader
        title={w.overview}
        description={hasMinimumRole('betreiber') ? w.description : w.descriptionOfFiles}
      />
      <Stack gap="md">
        <ErrorNotice error={error} onRetry={refetch} />
        {!data && !error && <OverviewSkeleton />}
        {data && data.dateien === 0 && hasMinimumRole('betreiber') && <FirstSteps />}
        {data && data.dateien === 0 && !hasMinimumRole('betreiber') && (
          <EmptyState icon={IconPhoto} title={w.nothing} />
        )}
        {data && data.dateien > 0 && (
          <>
            <Figures {...data} />
            <Panel>
              <RetrievalChart days={data.abrufe.tage} />
            </Panel>
            <Panel>
              <KindsBar {...data} />
            </Panel>
            <FileLists {...data} />
          </>
        )}
        {data && <ServiceHealth {...data} />}
      </Stack>
    </>
  )
}

/** The placeholder for the figures, the retrieval chart and the bar of file kinds while they are loaded. */
function OverviewSkeleton() {
  return (
    <>
      <RowsSkeleton rows={1} height={90} />
      <Skeleton height={288} />
      <Skeleton height={120} />
    </>
  )
}

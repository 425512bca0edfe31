import { Stack } from '@mantine/core'
import { useStatus } from '../../frame/status.ts'
import { Checks } from '../../frame/status-dot.tsx'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { words } from './words.ts'

export default function UpkeepPage() {
  const w = useWords(words)
  const { data, error, refetch } = useStatus()
  return (
    <>
      <PageHeader title={w.title} description={w.description} />
      <ErrorNotice error={error} onRetry={refetch} />
      {data && (
        <Panel>
          <Stack gap="xs">
            <Checks checks={data.pruefungen} />
          </Stack>
        </Panel>
      )}
    </>
  )
}

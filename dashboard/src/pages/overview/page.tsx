import { SimpleGrid, Text } from '@mantine/core'
import { useGet } from '../../api/use-get.ts'
import { useFormat, useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowsSkeleton } from '../../parts/skeletons.tsx'
import { words } from './words.ts'

export default function OverviewPage() {
  const w = useWords(words)
  const format = useFormat()
  const { data, error, refetch } = useGet('uebersicht')
  const figures = data && [
    [w.files, format.number(data.dateien)],
    [w.size, format.bytes(data.bytes)],
    [w.retrievals, format.number(data.abrufe.letzte_7_tage)],
    [w.free, data.platz ? format.bytes(data.platz.frei) : '–'],
  ]
  return (
    <>
      <PageHeader title={w.title} description={w.description} />
      <ErrorNotice error={error} onRetry={refetch} />
      {!figures && !error && <RowsSkeleton rows={2} height={88} />}
      {figures && (
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
          {figures.map(([label, value]) => (
            <Panel key={label}>
              <Text size="sm" c="dimmed">
                {label}
              </Text>
              <Text fz={24} fw={600}>
                {value}
              </Text>
            </Panel>
          ))}
        </SimpleGrid>
      )}
    </>
  )
}

import { Text } from '@mantine/core'
import type { SettingName } from '../../../../src/contract/settings.ts'
import type { Source } from '../../../../src/contract/settings-wire.ts'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SettingRow } from '../../parts/setting-row.tsx'
import { RowsSkeleton } from '../../parts/skeletons.tsx'
import { words } from './words.ts'

interface Shown {
  quelle: Source
  wert?: unknown
  gesetzt?: boolean
}

export default function SettingsPage() {
  const w = useWords(words)
  const { data, error, refetch } = useGet('einstellungen')
  const settings = Object.entries(data ?? {}) as [SettingName, Shown][]
  return (
    <>
      <PageHeader title={w.title} description={w.description} />
      <ErrorNotice error={error} onRetry={refetch} />
      {!data && !error && <RowsSkeleton />}
      {data && (
        <Panel py={0}>
          {settings.map(([name, { quelle, wert, gesetzt }]) => (
            <SettingRow key={name} label={name} source={quelle}>
              <Text>{gesetzt === undefined ? String(wert) : gesetzt ? w.set : w.unset}</Text>
            </SettingRow>
          ))}
        </Panel>
      )}
    </>
  )
}

/** The schedule of backups: when they run, how many archives are kept, and where. */
import { Stack, Text, Title } from '@mantine/core'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useGet } from '../../../api/use-get.ts'
import { useWords } from '../../../language/language.tsx'
import { Panel } from '../../../ui/lists/panel.tsx'
import { QueryResult } from '../../../ui/query-result.tsx'
import { TextSkeleton } from '../../../ui/skeletons.tsx'
import { SettingsLink } from './report.tsx'
import { backupWords } from './words.ts'

export function BackupSchedule() {
  const w = useWords(backupWords)
  const query = useGet('einstellungen')
  return (
    <Panel>
      <Stack gap="xs" align="flex-start">
        <Title order={2}>{w.next}</Title>
        <QueryResult query={query} skeleton={<TextSkeleton lineCount={4} />}>
          {data => (
            <>
              <Text size="sm">
                {w.daily(data.SICHERUNG_UHRZEIT.wert)} {w.kept(data.SICHERUNG_BEHALTEN.wert)}{' '}
                {data.SICHERUNG_WOCHEN.wert + data.SICHERUNG_MONATE.wert > 0 &&
                  w.keptPeriods(data.SICHERUNG_WOCHEN.wert, data.SICHERUNG_MONATE.wert)}
              </Text>
              <TargetLine name={w.target} path={data.SICHERUNG_ZIEL.wert} fallbackText={w.targetDefault} />
              <TargetLine name={w.second} path={data.SICHERUNG_ZWEITZIEL.wert} fallbackText={w.secondNone} />
              <TargetLine name={w.bucketPlace} path={bucketAddressOf(data)} fallbackText={w.bucketNone} />
            </>
          )}
        </QueryResult>
        <SettingsLink />
      </Stack>
    </Panel>
  )
}

const bucketAddressOf = (data: SettingsAnswer) =>
  [data.SICHERUNG_S3_ENDPOINT.wert, data.SICHERUNG_S3_BUCKET.wert, data.SICHERUNG_S3_PRAEFIX.wert]
    .filter(part => part !== '')
    .join('/')

function TargetLine({ name, path, fallbackText }: { name: string; path: string; fallbackText: string }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span inherit c="dimmed">
        {name}:
      </Text>{' '}
      {path === '' ? fallbackText : path}
    </Text>
  )
}

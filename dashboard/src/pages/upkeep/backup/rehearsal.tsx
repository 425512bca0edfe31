/** When a restore was last rehearsed, with which result, and how to rehearse one now. */
import { Stack, Text, Title } from '@mantine/core'
import type { RehearsalReport } from '../../../../../src/contract/service/backup.ts'
import { useGet } from '../../../api/use-get.ts'
import { useTexts } from '../../../language/language.tsx'
import { backupFailureText, useServiceText } from '../../../language/service-text.ts'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { Panel } from '../../../ui/lists/panel.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Callout, StateLine } from '../state-line.tsx'
import { CommandLine } from './command-line.tsx'
import { backupWords } from './words.ts'

export function Rehearsal({ report }: { report: RehearsalReport | null }) {
  const { w } = useTexts(backupWords)
  const { data } = useGet('einstellungen')
  return (
    <Panel>
      <Stack gap="xs">
        <Title order={2}>{w.rehearsal}</Title>
        <Text size="sm">{data?.SICHERUNG_PROBE.wert === 'aus' ? w.rehearsalOff : w.rehearsalWhat}</Text>
        {report ? (
          <RehearsalOutcome report={report} />
        ) : (
          <StateLine kind="plain">{w.rehearsalNone}</StateLine>
        )}
        <DimmedText>{w.rehearsalNow}</DimmedText>
        <CommandLine command="npm run fundus -- backup --rehearse" />
      </Stack>
    </Panel>
  )
}

function RehearsalOutcome({ report }: { report: RehearsalReport }) {
  const { w, format } = useTexts(backupWords)
  const translate = useServiceText()
  const { ok, zeit, archiv, zeilen, stichprobe, dateien } = report
  const countTexts = [zeilen, stichprobe, dateien].map(format.number) as [string, string, string]
  return (
    <>
      <StateLine kind={ok ? 'good' : 'bad'}>{ok ? w.rehearsalGood : w.rehearsalBad}</StateLine>
      <Text size="sm" c="dimmed" pl={28} component="div" style={{ overflowWrap: 'anywhere' }}>
        <RelativeTime timestamp={zeit} />
        {archiv !== null && ` · ${archiv}`}
        {ok && ` · ${w.rehearsalCompared(...countTexts)}`}
      </Text>
      {!ok && <Callout kind="bad">{backupFailureText(report, translate)}</Callout>}
    </>
  )
}

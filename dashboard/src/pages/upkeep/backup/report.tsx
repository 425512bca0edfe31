/** The last report in words: whether it worked, when, how large, at how many places; why not; and what is amiss. */
import { Alert, Anchor, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { BackupReport, BackupState } from '../../../../../src/contract/backup.ts'
import { useFormat, useWords } from '../../../language/language.tsx'
import { Time } from '../../../parts/time.tsx'
import { StateLine } from '../state-line.tsx'
import { backupWords } from './words.ts'

export function ReportState({ report }: { report: BackupReport | null }) {
  const w = useWords(backupWords)
  if (!report) return <StateLine kind="plain">{w.none}</StateLine>
  return report.ok ? (
    <StateLine kind="good">{w.succeeded}</StateLine>
  ) : (
    <StateLine kind="bad">{w.failed}</StateLine>
  )
}

/** „vor 3 Stunden · 1,5 GB · an zwei Orten“. */
export function ReportFacts({ report }: { report: BackupReport }) {
  const w = useWords(backupWords)
  const format = useFormat()
  const { zeit, archiv, bytes, orte } = report
  return (
    <>
      <Time at={zeit} />
      {archiv !== null && ` · ${format.bytes(bytes)} · ${w.places(orte)}`}
    </>
  )
}

export function ReportTrouble({ state: { letzter, warnungen } }: { state: BackupState }) {
  const w = useWords(backupWords)
  const sign = <IconAlertTriangle aria-hidden />
  return (
    <>
      {letzter?.fehler && (
        <Alert role="alert" color="red" variant="light" icon={sign}>
          <Text size="sm" c="var(--mantine-color-text)">
            {letzter.fehler} {letzter.archiv !== null && w.stillThere(w.places(letzter.orte))}
          </Text>
          <ToSettings>{w.toSettings}</ToSettings>
        </Alert>
      )}
      {warnungen.map(warning => (
        <Alert key={warning} color="yellow" variant="light" icon={sign} title={w.warning}>
          <Text size="sm" c="var(--mantine-color-text)">
            {warning}
          </Text>
          <ToSettings>{w.toSettings}</ToSettings>
        </Alert>
      ))}
    </>
  )
}

export function ToSettings({ children }: { children: string }) {
  return (
    <Anchor component={Link} href="/einstellungen" size="sm">
      {children}
    </Anchor>
  )
}

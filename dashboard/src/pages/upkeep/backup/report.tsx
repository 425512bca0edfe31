/** The last report in words: whether it worked, when, how large, at how many places; why not; and what is amiss. */
import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { BackupReport, BackupState } from '../../../../../src/contract/backup.ts'
import { useFormat, useWords } from '../../../language/language.tsx'
import { Time } from '../../../parts/time.tsx'
import { Callout, StateLine } from '../state-line.tsx'
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
  return (
    <>
      {letzter?.fehler && (
        <Callout kind="bad">
          {letzter.fehler} <ToSettings />
        </Callout>
      )}
      {warnungen.map(warning => (
        <Callout key={warning} kind="warn">
          {warning} <ToSettings />
        </Callout>
      ))}
    </>
  )
}

export function ToSettings() {
  const w = useWords(backupWords)
  return (
    <Anchor component={Link} href="/einstellungen" size="sm" underline="always">
      {w.toSettings}
    </Anchor>
  )
}

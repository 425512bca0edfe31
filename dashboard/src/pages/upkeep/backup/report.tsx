/**
 * The last backup in words: outcome, time, size, number of targets that have the archive, why it failed, and
 * the warnings about the current targets.
 */

import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { BackupReport, BackupState } from '../../../../../src/contract/service/backup.ts'
import { useFormat, useWords } from '../../../language/language.tsx'
import { backupFailureText, backupWarningTexts, useServiceText } from '../../../language/service-text.ts'
import { PAGES } from '../../../state/addresses.ts'
import { backupPlaceWords } from '../../../ui/backup-words.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Callout, StateLine } from '../state-line.tsx'
import { backupWords } from './words.ts'

export function ReportState({ report }: { report: BackupReport | null }) {
  const w = useWords(backupWords)
  const { gone: goneText } = useWords(backupPlaceWords)
  if (!report) return <StateLine kind="plain">{w.noBackupYet}</StateLine>
  if (!report.ok) return <StateLine kind="bad">{w.failed}</StateLine>
  if (report.orte === 0) return <StateLine kind="bad">{goneText}</StateLine>
  return <StateLine kind="good">{w.succeeded}</StateLine>
}

/**
 * When a backup ended and, if there is an archive, its size and number of targets: „vor 3 Stunden · 1,5 GB ·
 * an zwei Orten“.
 */
export function ReportDetails({ report }: { report: BackupReport }) {
  const { places: placesText } = useWords(backupPlaceWords)
  const format = useFormat()
  const { zeit, archiv, bytes, orte } = report
  return (
    <>
      <RelativeTime timestamp={zeit} />
      {archiv !== null && ` · ${format.bytes(bytes)} · ${placesText(orte)}`}
    </>
  )
}

export function ReportProblems({ state }: { state: BackupState }) {
  const translate = useServiceText()
  const { letzter } = state
  return (
    <>
      {letzter?.fehler && (
        <Callout kind="bad">
          {backupFailureText(letzter, translate)} <SettingsLink />
        </Callout>
      )}
      {backupWarningTexts(state, translate).map(warning => (
        <Callout key={warning} kind="warn">
          {warning} <SettingsLink />
        </Callout>
      ))}
    </>
  )
}

export function SettingsLink() {
  const w = useWords(backupWords)
  return (
    <Anchor component={Link} href={PAGES.settings} size="sm" underline="always">
      {w.toSettings}
    </Anchor>
  )
}

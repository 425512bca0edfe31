/**
 * The last backup with its warnings and the number of its targets, the health checks, and the result of the
 * integrity check.
 */

import { Anchor, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { OverviewAnswer } from '../../../../src/contract/files/overview.ts'
import { useStatus } from '../../api/use-status.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { backupFailureText, backupWarningTexts, useServiceText } from '../../language/service-text.ts'
import { PAGES } from '../../state/addresses.ts'
import { backupPlaceWords } from '../../ui/backup-words.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { HealthChecks } from '../../ui/health-checks.tsx'
import { TitledBox } from '../../ui/lists/titled-box.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { statusWords } from '../../ui/status-words.ts'
import { Warning } from '../../ui/warning.tsx'
import classes from './overview.module.css'
import { words } from './words.ts'

type Integrity = NonNullable<OverviewAnswer['integritaet']>

/**
 * Renders nothing for an account that is not an operator: the answer that such an account gets contains
 * nothing about the service.
 */
export function ServiceHealth({ sicherung, integritaet }: Pick<OverviewAnswer, 'sicherung' | 'integritaet'>) {
  if (!integritaet) return null
  return (
    <div className={classes.pair}>
      <LastBackup report={sicherung} />
      <ServiceState integrity={integritaet} />
    </div>
  )
}

function LastBackup({ report }: { report: OverviewAnswer['sicherung'] }) {
  const w = useWords(words)
  return (
    <TitledBox
      title={w.backup}
      cornerContent={
        <Anchor component={Link} size="sm" href={PAGES.upkeep}>
          {w.toBackup}
        </Anchor>
      }
    >
      {report ? <BackupOutcome {...report} /> : <Text c="dimmed">{w.backupNone}</Text>}
    </TitledBox>
  )
}

function BackupOutcome(report: NonNullable<OverviewAnswer['sicherung']>) {
  const { ok, zeit, archiv, bytes, orte, fehler } = report
  const { w, format } = useTexts(words)
  const { places: placesText } = useWords(backupPlaceWords)
  const translate = useServiceText()
  const hasArchive = ok && orte > 0
  const OutcomeIcon = hasArchive ? IconCircleCheck : IconAlertTriangle
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <OutcomeIcon
          size={20}
          color={hasArchive ? 'var(--fundus-good)' : 'var(--fundus-bad)'}
          aria-hidden
          style={{ flex: 'none', marginTop: 2 }}
        />
        <div>
          <Text>
            {ok ? w.backupGood : w.backupBad}, <RelativeTime timestamp={zeit} />
          </Text>
          {archiv && (
            <DimmedText style={{ overflowWrap: 'anywhere' }}>
              {archiv} · {format.bytes(bytes)} · {placesText(orte)}
            </DimmedText>
          )}
          {fehler && <Text size="sm">{backupFailureText(report, translate)}</Text>}
        </div>
      </Group>
      {backupWarningTexts(report, translate).map(warning => (
        <Warning key={warning}>{warning}</Warning>
      ))}
    </Stack>
  )
}

function ServiceState({ integrity }: { integrity: Integrity }) {
  const w = useWords(words)
  const stateNames = useWords(statusWords)
  const { data, error, refetch } = useStatus()
  return (
    <TitledBox title={w.state} cornerContent={data && <Text c="dimmed">{stateNames[data.stand]}</Text>}>
      <ErrorNotice error={error} onRetry={refetch} />
      {!data && !error && <TextSkeleton lineCount={6} />}
      <Stack gap="xs">
        <HealthChecks checks={data?.pruefungen ?? []} />
        <Findings {...integrity} />
      </Stack>
    </TitledBox>
  )
}

/**
 * The result of the integrity check: the number of damaged or missing files or, if there are none, when all
 * files were last read. Renders nothing before all files have been read, unless a file is damaged or missing.
 */
function Findings({ befunde, weitere, geprueft_bis }: Integrity) {
  const { w, format } = useTexts(words)
  const count = befunde.length + weitere
  if (count > 0) {
    return (
      <Warning>
        {w.damaged(count, format.number(count))}{' '}
        <Anchor component={Link} inherit href={PAGES.upkeep}>
          {w.viewFindings}
        </Anchor>
      </Warning>
    )
  }
  if (geprueft_bis === null) return null
  return (
    <DimmedText>
      {w.allRead} <RelativeTime timestamp={geprueft_bis} />
    </DimmedText>
  )
}

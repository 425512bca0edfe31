/** The backup page: last report, archives, schedule and restoring. */

import { Anchor, Stack, Text } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWords } from '../../../language/language.tsx'
import { PAGES } from '../../../state/addresses.ts'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { PageHeader } from '../../../ui/lists/page-header.tsx'
import { Panel } from '../../../ui/lists/panel.tsx'
import { RowsSkeleton } from '../../../ui/skeletons.tsx'
import { Archives } from './archives.tsx'
import { BackupSchedule } from './backup-schedule.tsx'
import { Rehearsal } from './rehearsal.tsx'
import { ReportDetails, ReportProblems, ReportState } from './report.tsx'
import { RestoreSteps } from './restore.tsx'
import { RunButton } from './run-button.tsx'
import { RunProgress } from './run-progress.tsx'
import { TargetUsage } from './target-usage.tsx'
import { useBackup } from './use-backup.ts'
import { backupWords } from './words.ts'

export default function BackupPage() {
  const w = useWords(backupWords)
  const backupQuery = useBackup()
  const { data, error, refetch, startMutation } = backupQuery
  return (
    <>
      <Anchor component={Link} href={PAGES.upkeep} size="sm" display="inline-flex" mb={4}>
        <IconChevronLeft size={18} aria-hidden /> {w.upkeep}
      </Anchor>
      <PageHeader title={w.backup} description={w.description}>
        <RunButton backupQuery={backupQuery} />
      </PageHeader>
      <Stack>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
        <ErrorNotice error={startMutation.error} />
        {!data && !error && <RowsSkeleton rows={6} />}
        {data && (
          <>
            <Panel pt="xs">
              <div role="status">
                <ReportState report={data.letzter} />
              </div>
              {data.letzter && (
                <Text size="sm" c="dimmed" pl={28} component="div">
                  <ReportDetails report={data.letzter} />
                </Text>
              )}
              <Stack gap="sm" mt="sm">
                <RunProgress state={data} />
                <ReportProblems state={data} />
              </Stack>
            </Panel>
            <Archives archives={data.archive} />
            <TargetUsage state={data} />
            <BackupSchedule />
            <Rehearsal report={data.probe} />
            <RestoreSteps archives={data.archive} />
          </>
        )}
      </Stack>
    </>
  )
}

/** The backup as one of the maintenance tasks. Archives and restoring have a page of their own. */

import { Anchor, Stack } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWords } from '../../../language/language.tsx'
import { PAGES } from '../../../state/addresses.ts'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { TextSkeleton } from '../../../ui/skeletons.tsx'
import { TaskSection } from '../task-section.tsx'
import { ReportDetails, ReportProblems, ReportState } from './report.tsx'
import { RunButton } from './run-button.tsx'
import { RunProgress } from './run-progress.tsx'
import { useBackup } from './use-backup.ts'
import { backupWords } from './words.ts'

export function BackupSection() {
  const w = useWords(backupWords)
  const backupQuery = useBackup()
  const { data, error, refetch, startMutation } = backupQuery
  return (
    <TaskSection
      icon={IconArchive}
      title={w.backup}
      description={w.description}
      action={<RunButton backupQuery={backupQuery} />}
      state={data && <ReportState report={data.letzter} />}
      note={data?.letzter && <ReportDetails report={data.letzter} />}
    >
      <Stack gap="sm">
        {!data && !error && <TextSkeleton lineCount={1} />}
        <ErrorNotice error={error} onRetry={() => void refetch()} />
        <ErrorNotice error={startMutation.error} />
        {data && <RunProgress state={data} />}
        {data && <ReportProblems state={data} />}
        <Anchor component={Link} href={PAGES.backup} size="sm">
          {w.details}
        </Anchor>
      </Stack>
    </TaskSection>
  )
}

/**
 * The dialogs before an upload. The first shows an error that occurred while the upload was prepared. The
 * second asks, once for all files, what to do about conflicts and invalid names, and lists the files that
 * cannot be uploaded.
 */
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts, useWords } from '../../language/language.tsx'
import { useObservable } from '../../state/observable.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Dialog } from '../../ui/forms/dialog.tsx'
import { DialogButtons } from '../../ui/forms/dialog-buttons.tsx'
import { pendingIntake } from '../uploads.ts'
import { words as uploadWords } from '../words.ts'
import { planWords } from './dialog-words.ts'
import type { PendingIntake } from './intake.ts'
import { filesToSend, type UploadDecisions } from './plan.ts'
import {
  ConflictsSection,
  InvalidNamesSection,
  LowerCasedNamesSection,
  RejectedFilesSection,
} from './plan-sections.tsx'

type Question = Extract<PendingIntake, { kind: 'question' }>

export function PlanDialog() {
  const w = useWords(planWords)
  const intake = useObservable(pendingIntake)
  const failure = intake?.kind === 'failed' ? intake : null
  const question = intake?.kind === 'question' ? intake : null
  return (
    <>
      <Dialog opened={failure !== null} onClose={() => failure?.giveUp()} title={w.failed}>
        <ErrorNotice error={failure?.error} onRetry={() => failure?.retry()} />
      </Dialog>
      <Dialog opened={question !== null} onClose={() => question?.answer(null)} title={w.title} size="lg">
        {question && <DecisionForm {...question} />}
      </Dialog>
    </>
  )
}

function DecisionForm({ plan, folder, maxBytes, answer }: Question) {
  const { w, format } = useTexts(planWords)
  const { top: topName } = useWords(uploadWords)
  const [decisions, setDecisions] = useState<UploadDecisions>({ conflicts: 'skip', acceptsCleanNames: true })
  const changeDecisions = (changes: Partial<UploadDecisions>) => setDecisions({ ...decisions, ...changes })
  const fileCount = filesToSend(plan, decisions).length
  return (
    <Stack gap="lg">
      <Text c="dimmed">{w.target(folder === '' ? topName : folder)}</Text>
      <InvalidNamesSection
        plan={plan}
        acceptsCleanNames={decisions.acceptsCleanNames}
        onChange={acceptsCleanNames => changeDecisions({ acceptsCleanNames })}
      />
      <LowerCasedNamesSection plan={plan} />
      <ConflictsSection
        plan={plan}
        acceptsCleanNames={decisions.acceptsCleanNames}
        choice={decisions.conflicts}
        onChange={conflicts => changeDecisions({ conflicts })}
      />
      <RejectedFilesSection rejectedFiles={plan.rejectedFiles} maxBytes={maxBytes} />
      <DialogButtons>
        <Button variant="default" onClick={() => answer(null)}>
          {fileCount === 0 ? w.close : w.cancel}
        </Button>
        <Button disabled={fileCount === 0} onClick={() => answer(decisions)}>
          {fileCount === 0 ? w.nothing : w.uploadFiles(fileCount, format.number(fileCount))}
        </Button>
      </DialogButtons>
    </Stack>
  )
}

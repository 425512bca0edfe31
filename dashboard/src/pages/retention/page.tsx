/** The retention page: rules by folder, a trial run, saving the rules, and running them at once. */
import { Button, Group, Stack } from '@mantine/core'
import { IconHourglass, IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { RETENTION_MAX_RULES } from '../../../../src/contract/values/input-limits.ts'
import { post, put } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { createObservable, useObservable } from '../../state/observable.ts'
import { hasMinimumRole } from '../../state/rights.ts'
import { ButtonWithIcon } from '../../ui/buttons.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { useLeaveGuard } from '../../ui/use-leave-guard.ts'
import {
  areRulesEqual,
  createDraft,
  draftOf,
  hasProblems,
  problemsOf,
  type RetentionRule,
  type RetentionRuleDraft,
  ruleOf,
} from './drafts.ts'
import classes from './retention.module.css'
import { RuleCard } from './rule-card.tsx'
import { RunResult, TrialResult } from './trial-result.tsx'
import { words } from './words.ts'

const CARD_HEIGHT = 120

/**
 * The edited rules. Null while there are no edits: the page then shows the saved rules, including changes
 * that are saved in another window. Stored outside of the component, so that edits are not lost when the user
 * leaves the page with the back button, which cannot be intercepted.
 */
const unsavedDrafts = createObservable<readonly RetentionRuleDraft[] | null>(null)

export default function RetentionPage() {
  const w = useWords(words)
  const rulesQuery = useGet('fristen')
  return (
    <>
      <PageHeader title={w.retention} description={w.description} />
      <QueryResult query={rulesQuery} skeleton={<RowsSkeleton rows={2} height={CARD_HEIGHT} />}>
        {({ regeln }) => <Rules savedRules={regeln} />}
      </QueryResult>
    </>
  )
}

function Rules({ savedRules }: { savedRules: readonly RetentionRule[] }) {
  const { w, format } = useTexts(words)
  const notify = useNotify()
  const refresh = useRefresh()
  const schedule = useGet('fristen/termine').data
  const mayChange = hasMinimumRole('betreiber')
  const editedDrafts = useObservable(unsavedDrafts)
  const drafts = useMemo(() => editedDrafts ?? savedRules.map(draftOf), [editedDrafts, savedRules])
  const rules = drafts.map(ruleOf)
  const [hasSubmitted, setSubmitted] = useState(false)
  const problems = problemsOf(drafts)
  const isUnsaved = !areRulesEqual(rules, savedRules)

  const saveMutation = useMutation({
    mutationFn: () => put('fristen', { body: { regeln: rules } }),
    async onSuccess() {
      await refresh('fristen')
      unsavedDrafts.set(null)
      notify.showSuccess(w.saved)
    },
  })
  const trialMutation = useMutation({
    mutationFn: (regeln: RetentionRule[]) => post('fristen/probe', { body: { regeln } }),
  })
  // The result of a trial is not shown if the rules have been edited since.
  const trialRules =
    trialMutation.data && areRulesEqual(trialMutation.data.regeln, rules)
      ? trialMutation.data.regeln
      : undefined

  const runMutation = useMutation({
    mutationFn: () => post('fristen/ausfuehren'),
    async onSuccess() {
      trialMutation.reset()
      await refresh(...FILE_QUERIES)
    },
  })

  function editRules(changedDrafts: readonly RetentionRuleDraft[]) {
    unsavedDrafts.set(changedDrafts)
    saveMutation.reset()
    runMutation.reset()
  }
  function runIfValid(action: () => void) {
    setSubmitted(true)
    if (!hasProblems(problems)) action()
  }
  const addButton = (
    <ButtonWithIcon
      icon={IconPlus}
      label={w.add}
      variant={drafts.length === 0 ? 'filled' : 'default'}
      disabled={drafts.length >= RETENTION_MAX_RULES}
      onClick={() => editRules([...drafts, createDraft()])}
    />
  )
  if (drafts.length === 0 && !isUnsaved)
    return (
      <EmptyState icon={IconHourglass} title={w.empty} description={w.emptyHint}>
        {mayChange && addButton}
      </EmptyState>
    )
  return (
    <Stack gap="md">
      {schedule && <DimmedText maw={720}>{w.howItWorks(format.moment(schedule.naechster_lauf))}</DimmedText>}
      <fieldset disabled={!mayChange} className={classes.fieldset}>
        <ul className={classes.list} aria-label={w.rules}>
          {drafts.map((draft, index) => (
            <RuleCard
              key={draft.id}
              draft={draft}
              problems={hasSubmitted ? problems[index]! : {}}
              nextMove={nextMoveOf(rules[index]!, savedRules, schedule?.regeln)}
              // The result of the trial is hidden during a run, because the run moves the files of which the
              // result shows previews.
              trialResult={runMutation.isPending ? undefined : trialRules?.[index]}
              onChange={change =>
                editRules(
                  drafts.map(candidate => (candidate === draft ? { ...draft, ...change } : candidate)),
                )
              }
              onRemove={() => editRules(drafts.filter(candidate => candidate !== draft))}
            />
          ))}
        </ul>
      </fieldset>
      <ErrorNotice error={saveMutation.error ?? trialMutation.error} />
      {mayChange && (
        <Group gap="xs">
          {addButton}
          <Button
            variant="default"
            loading={trialMutation.isPending}
            disabled={drafts.length === 0}
            onClick={() => runIfValid(() => trialMutation.mutate(rules))}
          >
            {w.try}
          </Button>
          <Button
            loading={saveMutation.isPending}
            disabled={!isUnsaved}
            onClick={() => runIfValid(() => saveMutation.mutate())}
          >
            {w.save}
          </Button>
        </Group>
      )}
      {trialRules && <TrialResult ruleTrials={trialRules} isUnsaved={isUnsaved} runMutation={runMutation} />}
      {!trialRules && runMutation.data && <RunResult {...runMutation.data} />}
      <LeaveDialog isUnsaved={isUnsaved} />
    </Stack>
  )
}

/**
 * The time at which the rule next moves files. Null if it has no files to move, or if the schedule is not
 * loaded; undefined if this version of the rule is not saved.
 */
function nextMoveOf(
  rule: RetentionRule,
  savedRules: readonly RetentionRule[],
  nextMoves: readonly { ordner: string; naechste: number | null }[] | undefined,
): number | null | undefined {
  if (!savedRules.some(savedRule => areRulesEqual([savedRule], [rule]))) return undefined
  return nextMoves?.find(({ ordner }) => ordner === rule.ordner)?.naechste ?? null
}

function LeaveDialog({ isUnsaved }: { isUnsaved: boolean }) {
  const w = useWords(words)
  const { isAsking, stay, leave } = useLeaveGuard(isUnsaved, () => unsavedDrafts.set(null))
  return (
    <ConfirmDialog
      opened={isAsking}
      onClose={stay}
      title={w.leaveTitle}
      confirmLabel={w.leave}
      onConfirm={leave}
    >
      {w.leaveHint}
    </ConfirmDialog>
  )
}

/** The retention page: rules by folder, a trial run, saving the rules, and running them at once. */
import { Button, Group, Stack } from '@mantine/core'
import { IconHourglass, IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { RETENTION_MAX_RULES } from '../../../../src/contract/values/limits.ts'
import { post, put } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { may } from '../../state/rights.ts'
import { SignButton } from '../../ui/buttons.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { useLeaveGuard } from '../../ui/use-leave-guard.ts'
import {
  areRulesEqual,
  type Draft,
  draftOf,
  hasProblems,
  newDraft,
  problemsOf,
  type Rule,
  ruleOf,
} from './drafts.ts'
import classes from './retention.module.css'
import { RuleCard } from './rule-card.tsx'
import { RunResult, TrialResult } from './trial-result.tsx'
import { words } from './words.ts'

const CARD_HEIGHT = 120

export default function RetentionPage() {
  const w = useWords(words)
  const answer = useGet('fristen')
  return (
    <>
      <PageHeader title={w.retention} description={w.description} />
      <Loaded query={answer} waiting={<RowsSkeleton rows={2} height={CARD_HEIGHT} />}>
        {({ regeln }) => <Rules saved={regeln} />}
      </Loaded>
    </>
  )
}

function Rules({ saved }: { saved: readonly Rule[] }) {
  const { w, format } = useTexts(words)
  const notify = useNotify()
  const refresh = useRefresh()
  const dates = useGet('fristen/termine').data
  const mayChange = may('betreiber')
  // Null until a rule is edited; until then, rules that are saved elsewhere are shown.
  const [edited, setEdited] = useState<readonly Draft[] | null>(null)
  const drafts = useMemo(() => edited ?? saved.map(draftOf), [edited, saved])
  const rules = drafts.map(ruleOf)
  const [wasTried, setTried] = useState(false)
  const problems = problemsOf(drafts)
  const isUnsaved = !areRulesEqual(rules, saved)

  const saving = useMutation({
    mutationFn: () => put('fristen', { body: { regeln: rules } }),
    async onSuccess() {
      await refresh('fristen')
      setEdited(null)
      notify.done(w.saved)
    },
  })
  const trying = useMutation({
    mutationFn: (regeln: Rule[]) => post('fristen/probe', { body: { regeln } }),
  })
  // The result of a trial is not shown if the rules have been edited since.
  const trial = trying.data && areRulesEqual(trying.data.regeln, rules) ? trying.data.regeln : undefined

  const running = useMutation({
    mutationFn: () => post('fristen/ausfuehren'),
    async onSuccess() {
      trying.reset()
      await refresh(...FILE_QUERIES)
    },
  })

  function edit(change: readonly Draft[]) {
    setEdited(change)
    saving.reset()
    running.reset()
  }
  function ifValid(act: () => void) {
    setTried(true)
    if (!hasProblems(problems)) act()
  }
  const add = (
    <SignButton
      icon={IconPlus}
      label={w.add}
      variant={drafts.length === 0 ? 'filled' : 'default'}
      disabled={drafts.length >= RETENTION_MAX_RULES}
      onClick={() => edit([...drafts, newDraft()])}
    />
  )
  if (drafts.length === 0 && !isUnsaved)
    return (
      <EmptyState icon={IconHourglass} title={w.empty} description={w.emptyHint}>
        {mayChange && add}
      </EmptyState>
    )
  return (
    <Stack gap="md">
      {dates && <Quiet maw={720}>{w.howItWorks(format.moment(dates.naechster_lauf))}</Quiet>}
      <fieldset disabled={!mayChange} className={classes.fields}>
        <ul className={classes.list} aria-label={w.rules}>
          {drafts.map((draft, at) => (
            <RuleCard
              key={draft.id}
              draft={draft}
              problems={wasTried ? problems[at]! : {}}
              next={nextOf(rules[at]!, saved, dates?.regeln)}
              // The result of the trial is hidden during a run, which moves the files whose pictures it
              // shows.
              trial={running.isPending ? undefined : trial?.[at]}
              onChange={change => edit(drafts.map(each => (each === draft ? { ...draft, ...change } : each)))}
              onRemove={() => edit(drafts.filter(each => each !== draft))}
            />
          ))}
        </ul>
      </fieldset>
      <ErrorNotice error={saving.error ?? trying.error} />
      {mayChange && (
        <Group gap="xs">
          {add}
          <Button
            variant="default"
            loading={trying.isPending}
            disabled={drafts.length === 0}
            onClick={() => ifValid(() => trying.mutate(rules))}
          >
            {w.try}
          </Button>
          <Button
            loading={saving.isPending}
            disabled={!isUnsaved}
            onClick={() => ifValid(() => saving.mutate())}
          >
            {w.save}
          </Button>
        </Group>
      )}
      {trial && <TrialResult {...{ trial, isUnsaved, running }} />}
      {!trial && running.data && <RunResult {...running.data} />}
      <LeaveDialog isUnsaved={isUnsaved} />
    </Stack>
  )
}

/**
 * The time at which the rule next moves files; null if it has no files, undefined if this version of the rule
 * is not saved.
 */
function nextOf(
  rule: Rule,
  saved: readonly Rule[],
  dates: readonly { ordner: string; naechste: number | null }[] | undefined,
): number | null | undefined {
  if (!saved.some(each => areRulesEqual([each], [rule]))) return undefined
  return dates?.find(({ ordner }) => ordner === rule.ordner)?.naechste ?? null
}

function LeaveDialog({ isUnsaved }: { isUnsaved: boolean }) {
  const w = useWords(words)
  const { asking, stay, leave } = useLeaveGuard(isUnsaved)
  return (
    <ConfirmDialog opened={asking} onClose={stay} title={w.leaveTitle} confirm={w.leave} onConfirm={leave}>
      {w.leaveHint}
    </ConfirmDialog>
  )
}

/** A retention rule: its fields, when it next moves files, and what a trial run has found. */
import { NativeSelect, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { PERIOD_STARTS } from '../../../../src/contract/files/choices.ts'
import { RETENTION_MAX_DAYS } from '../../../../src/contract/values/input-limits.ts'
import type { PostRoutes } from '../../api/routes.ts'
import { useTexts } from '../../language/language.tsx'
import { IconButton } from '../../ui/buttons.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { FolderField } from '../../ui/forms/folder-field.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import type { DraftProblems, RetentionRuleDraft } from './drafts.ts'
import { Examples } from './examples.tsx'
import classes from './retention.module.css'
import { words } from './words.ts'

export type RuleTrial = PostRoutes['fristen/probe']['answer']['regeln'][number]

export interface RuleCardProps {
  draft: RetentionRuleDraft
  problems: DraftProblems
  /**
   * The time at which the rule next moves files; null if it has no files to move or the schedule is not
   * loaded, undefined if this version of the rule is not saved.
   */
  nextMove: number | null | undefined
  trialResult: RuleTrial | undefined
  onChange(change: Partial<RetentionRuleDraft>): void
  onRemove(): void
}

export function RuleCard({ draft, problems, nextMove, trialResult, onChange, onRemove }: RuleCardProps) {
  const { w, format } = useTexts(words)
  const isExempt = draft.ab === 'never'
  const stateText =
    nextMove === undefined
      ? w.unsaved
      : isExempt
        ? w.exempt
        : nextMove === null
          ? w.nothingThere
          : w.actsAt(format.moment(nextMove))
  return (
    <li aria-label={w.ruleOf(draft.ordner || w.top)}>
      <Panel>
        <div className={classes.fields}>
          <FolderField
            className={classes.folder}
            label={w.folder}
            placeholder={w.folderHint}
            value={draft.ordner}
            onChange={ordner => onChange({ ordner })}
            error={problems.ordner && w[problems.ordner]}
          />
          <TextInput
            label={w.days}
            inputMode="numeric"
            value={isExempt ? '' : draft.tage}
            disabled={isExempt}
            onChange={event => onChange({ tage: event.currentTarget.value })}
            error={problems.tage && w[problems.tage](format.number(RETENTION_MAX_DAYS))}
          />
          <NativeSelect
            label={w.start}
            value={draft.ab}
            data={[...PERIOD_STARTS, 'never' as const].map(value => ({ value, label: w[value] }))}
            onChange={event => onChange({ ab: event.currentTarget.value as RetentionRuleDraft['ab'] })}
          />
          <IconButton className={classes.remove} icon={IconTrash} label={w.remove} onClick={onRemove} />
        </div>
        <DimmedText mt="xs">{stateText}</DimmedText>
        {trialResult && !isExempt && (
          <DimmedText mt={4} c="var(--mantine-color-text)">
            {trialResult.dateien === 0
              ? w.nothingGoes
              : w.wouldGo(
                  trialResult.dateien,
                  format.number(trialResult.dateien),
                  format.bytes(trialResult.bytes),
                )}
          </DimmedText>
        )}
        {trialResult && trialResult.beispiele.length > 0 && <Examples paths={trialResult.beispiele} />}
      </Panel>
    </li>
  )
}

/**
 * The result of a trial of retention rules (how many files they would move to the trash, a warning if the
 * trash is too small, and the button that runs the rules), and the result of a run.
 */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { PostRoutes } from '../../api/routes.ts'
import { useGet } from '../../api/use-get.ts'
import { useTexts } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { Warning } from '../../ui/warning.tsx'
import type { RuleTrial } from './rule-card.tsx'
import { words } from './words.ts'

export type RunAnswer = PostRoutes['fristen/ausfuehren']['answer']

export interface TrialResultProps {
  ruleTrials: readonly RuleTrial[]
  isUnsaved: boolean
  runMutation: UseMutationResult<RunAnswer, Error, void>
}

export function TrialResult({ ruleTrials, isUnsaved, runMutation }: TrialResultProps) {
  const { w, format } = useTexts(words)
  const fileCount = ruleTrials.reduce((sum, rule) => sum + rule.dateien, 0)
  const bytes = ruleTrials.reduce((sum, rule) => sum + rule.bytes, 0)
  return (
    <section aria-label={w.trial}>
      <Panel>
        <Stack gap="sm">
          <Text fw={600} role="status">
            {fileCount === 0
              ? w.nothingGoes
              : w.wouldGo(fileCount, format.number(fileCount), format.bytes(bytes))}
          </Text>
          <TrashOverflowWarning bytes={bytes} />
          <ErrorNotice error={runMutation.error} />
          {fileCount > 0 && (
            <Group gap="sm">
              <Button
                loading={runMutation.isPending}
                disabled={isUnsaved}
                onClick={() => runMutation.mutate()}
              >
                {w.run}
              </Button>
              {isUnsaved && <DimmedText>{w.saveFirst}</DimmedText>}
            </Group>
          )}
        </Stack>
      </Panel>
    </section>
  )
}

/** A warning if the trash would exceed its maximum size with `bytes` more in it. */
function TrashOverflowWarning({ bytes }: { bytes: number }) {
  const { w, format } = useTexts(words)
  const { data: trash } = useGet('papierkorb')
  const excessBytes = trash ? trash.bytes + bytes - trash.maxBytes : 0
  if (!trash || bytes === 0 || excessBytes <= 0) return null
  return <Warning>{w.overflow(format.bytes(trash.maxBytes), format.bytes(excessBytes))}</Warning>
}

export function RunResult({ dateien, bytes }: RunAnswer) {
  const { w, format } = useTexts(words)
  return (
    <Panel>
      <Group gap="sm">
        <Text role="status">
          {dateien === 0 ? w.nothingMoved : w.moved(dateien, format.number(dateien), format.bytes(bytes))}
        </Text>
        {dateien > 0 && (
          <Anchor component={Link} href={`${PAGES.history}?was=geloescht`}>
            {w.toHistory}
          </Anchor>
        )}
      </Group>
    </Panel>
  )
}

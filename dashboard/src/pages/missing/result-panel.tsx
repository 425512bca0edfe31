/** The right panel: the missing or the surplus names, as the user chooses, and how many there are of each. */
import { Group, SegmentedControl, Stack } from '@mantine/core'
import { IconCircleCheck, IconListSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts, useWords } from '../../language/language.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { MissingFiles } from './missing-files.tsx'
import { SurplusList } from './surplus-list.tsx'
import type { MissingComparison } from './use-missing.ts'
import { words } from './words.ts'

type ResultSide = 'missing' | 'surplus'

export function ResultPanel({ compared, error, refetch, hasInput }: MissingComparison) {
  const w = useWords(words)
  const [side, setSide] = useState<ResultSide>('missing')
  return (
    <Panel>
      <Stack>
        <ErrorNotice error={error} onRetry={refetch} />
        {!hasInput && <EmptyState icon={IconListSearch} title={w.begin} description={w.beginHint} />}
        {hasInput && !compared && !error && <RowsSkeleton rows={6} />}
        {compared && (
          <>
            <SideSwitch result={compared.result} side={side} onSide={setSide} />
            {side === 'missing' ? <MissingSide {...compared} /> : <SurplusSide {...compared} />}
          </>
        )}
      </Stack>
    </Panel>
  )
}

type Compared = NonNullable<MissingComparison['compared']>

function SideSwitch({
  result,
  side,
  onSide,
}: {
  result: Compared['result']
  side: ResultSide
  onSide(side: ResultSide): void
}) {
  const { w, format } = useTexts(words)
  const { fehlend, ueberzaehlig, vorhanden } = result
  const shownNames = side === 'missing' ? fehlend : ueberzaehlig
  return (
    <Group justify="space-between" gap="sm">
      <SegmentedControl
        aria-label={w.result}
        value={side}
        onChange={value => onSide(value as ResultSide)}
        data={[
          { value: 'missing', label: `${w.missing} ${format.number(fehlend.length)}` },
          { value: 'surplus', label: `${w.surplus} ${format.number(ueberzaehlig.length)}` },
        ]}
      />
      <Quiet role="status">{w.present(vorhanden, format.number(vorhanden))}</Quiet>
      {shownNames.length > 0 && (
        <CopyButton size="xs" label={w.copyNames} value={() => shownNames.join('\n')} />
      )}
    </Group>
  )
}

function MissingSide({ result, pattern }: Compared) {
  const { w, format } = useTexts(words)
  if (result.fehlend.length > 0) return <MissingFiles names={result.fehlend} pattern={pattern} />
  const { vorhanden } = result
  return (
    <EmptyState
      icon={IconCircleCheck}
      title={w.complete}
      description={w.present(vorhanden, format.number(vorhanden))}
    />
  )
}

function SurplusSide({ result, pattern }: Compared) {
  const w = useWords(words)
  if (result.ueberzaehlig.length > 0) return <SurplusList names={result.ueberzaehlig} pattern={pattern} />
  return <EmptyState icon={IconCircleCheck} title={w.noSurplus} description={w.noSurplusHint} />
}

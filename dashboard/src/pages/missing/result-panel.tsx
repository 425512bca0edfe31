/**
 * The right panel of the page of missing files. It has a tab for the missing names and one for the surplus
 * files (those that match the pattern but are not in the list). Each tab shows how many there are.
 */
import { Group, SegmentedControl, Stack } from '@mantine/core'
import { IconCircleCheck, IconListSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts, useWords } from '../../language/language.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { MissingFiles } from './missing-files.tsx'
import { SurplusList } from './surplus-list.tsx'
import type { MissingComparison } from './use-missing-names.ts'
import { words } from './words.ts'

type ResultTab = 'missing' | 'surplus'

export function ResultPanel({ comparison, error, refetch, hasInput }: MissingComparison) {
  const w = useWords(words)
  const [tab, setTab] = useState<ResultTab>('missing')
  return (
    <Panel>
      <Stack>
        <ErrorNotice error={error} onRetry={refetch} />
        {!hasInput && <EmptyState icon={IconListSearch} title={w.begin} description={w.beginHint} />}
        {hasInput && !comparison && !error && <RowsSkeleton rows={6} />}
        {comparison && (
          <>
            <TabSwitch result={comparison.result} tab={tab} onTab={setTab} />
            {tab === 'missing' ? <MissingTab {...comparison} /> : <SurplusTab {...comparison} />}
          </>
        )}
      </Stack>
    </Panel>
  )
}

type ShownComparison = NonNullable<MissingComparison['comparison']>

function TabSwitch({
  result,
  tab,
  onTab,
}: {
  result: ShownComparison['result']
  tab: ResultTab
  onTab(tab: ResultTab): void
}) {
  const { w, format } = useTexts(words)
  const { fehlend, ueberzaehlig, vorhanden } = result
  const shownNames = tab === 'missing' ? fehlend : ueberzaehlig
  return (
    <Group justify="space-between" gap="sm">
      <SegmentedControl
        aria-label={w.result}
        value={tab}
        onChange={value => onTab(value as ResultTab)}
        data={[
          { value: 'missing', label: `${w.missing} ${format.number(fehlend.length)}` },
          { value: 'surplus', label: `${w.surplus} ${format.number(ueberzaehlig.length)}` },
        ]}
      />
      <DimmedText role="status">{w.present(vorhanden, format.number(vorhanden))}</DimmedText>
      {shownNames.length > 0 && (
        <CopyButton size="xs" label={w.copyNames} value={() => shownNames.join('\n')} />
      )}
    </Group>
  )
}

function MissingTab({ result, pattern }: ShownComparison) {
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

function SurplusTab({ result, pattern }: ShownComparison) {
  const w = useWords(words)
  if (result.ueberzaehlig.length > 0) return <SurplusList names={result.ueberzaehlig} pattern={pattern} />
  return <EmptyState icon={IconCircleCheck} title={w.noSurplus} description={w.noSurplusHint} />
}

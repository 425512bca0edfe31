/**
 * The page of files with equal content: a card for each group, on which the user chooses the file to keep,
 * and a button that moves all other files of the listed groups to the trash.
 */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconCopyCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { postAction } from '../../api/client.ts'
import { undoAction } from '../../api/undo.ts'
import { useGet } from '../../api/use-get.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { numberParameter, useSearchState } from '../../state/use-search-state.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { Pagination } from '../../ui/lists/pages.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { type DuplicateGroup, GroupCard } from './group-card.tsx'
import { words } from './words.ts'

const DUPLICATES_PARAMETERS = { seite: numberParameter(1) }
const PAGE_SIZE = 30

export default function DuplicatesPage() {
  const { w, format } = useTexts(words)
  const [search, setSearch] = useSearchState(DUPLICATES_PARAMETERS)
  const query = { seite: Math.max(1, search.seite), anzahl: String(PAGE_SIZE) }
  const duplicatesQuery = useGet('maintenance/doppelte', { query, keepPrevious: true })
  const [chosenPaths, setChosenPaths] = useState<ReadonlyMap<string, string>>(new Map())
  const removeMutation = useRemoveDuplicates()
  const keptPathOf = ({ sha256, beispiele }: DuplicateGroup) =>
    beispiele.find(({ path }) => path === chosenPaths.get(sha256))?.path ?? beispiele[0]?.path ?? ''
  const removeDuplicatesIn = (groups: readonly DuplicateGroup[]) =>
    removeMutation.mutate(
      groups.map(group => ({ sha256: group.sha256, dateien: group.dateien, behalten: keptPathOf(group) })),
    )
  return (
    <>
      <Anchor component={Link} href={PAGES.upkeep} size="sm" display="inline-flex" mb={4}>
        <IconChevronLeft size={18} aria-hidden /> {w.upkeep}
      </Anchor>
      <PageHeader title={w.duplicates} description={w.description} />
      <ErrorNotice error={removeMutation.error} />
      <QueryResult query={duplicatesQuery} skeleton={<RowsSkeleton rows={6} height={120} />}>
        {data =>
          data.gruppen.length === 0 ? (
            <EmptyState icon={IconCopyCheck} title={w.none} description={w.noneHint} />
          ) : (
            <Stack>
              <Group justify="space-between">
                <Text role="status">
                  {w.total(
                    w.surplus(data.ueberzaehlig, format.number(data.ueberzaehlig)),
                    format.bytes(data.bytes),
                  )}
                </Text>
                <Button
                  variant="default"
                  loading={removeMutation.isPending}
                  onClick={() => removeDuplicatesIn(data.gruppen)}
                >
                  {w.removeAll(data.gruppen.length, format.number(data.gruppen.length))}
                </Button>
              </Group>
              <DimmedText>{w.addressesHint}</DimmedText>
              {data.gruppen.map(group => (
                <GroupCard
                  key={group.sha256}
                  group={group}
                  keptPath={keptPathOf(group)}
                  isBusy={removeMutation.isPending}
                  onKeep={path => setChosenPaths(new Map(chosenPaths).set(group.sha256, path))}
                  onRemove={() => removeDuplicatesIn([group])}
                />
              ))}
              <Pagination {...data} onPage={seite => setSearch({ seite })} />
            </Stack>
          )
        }
      </QueryResult>
    </>
  )
}

interface GroupChoice {
  sha256: string
  dateien: number
  behalten: string
}

/**
 * Returns a mutation that moves all files of the given groups except the kept ones to the trash, and then
 * offers to undo the move.
 */
function useRemoveDuplicates() {
  const { w, format } = useTexts(words)
  const notify = useNotify()
  const refresh = useRefresh()
  const refreshAll = () => refresh(...FILE_QUERIES, 'maintenance')
  return useMutation({
    mutationFn: (gruppen: GroupChoice[]) => postAction('maintenance/doppelte', { body: { gruppen } }),
    onSuccess: ({ answer: { geloescht }, action }) =>
      notify.offerUndo(
        w.removed(geloescht, format.number(geloescht)),
        reportProgress => undoAction(action, reportProgress).finally(refreshAll),
        geloescht,
      ),
    onSettled: refreshAll,
  })
}

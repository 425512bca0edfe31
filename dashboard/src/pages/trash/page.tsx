/** The page of the trash, where deleted and replaced files are restored or removed for good. */

import { Button, NativeSelect, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { TRASH_REASONS, type TrashReason } from '../../../../src/contract/files/choices.ts'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../../../src/contract/values/page-sizes.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { useGet } from '../../api/use-get.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { maySeeFolder } from '../../state/rights.ts'
import { numberParameter, oneOfParameter, useSearchState } from '../../state/use-search-state.ts'
import { UsageBar } from '../../ui/charts/usage-bar.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { TrashList } from './trash-list.tsx'
import { reasonWords, words } from './words.ts'

const TRASH_PARAMETERS = {
  seite: numberParameter(1),
  anzahl: oneOfParameter(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  grund: oneOfParameter(TRASH_REASONS, null),
}
const ROW_HEIGHT = 72
/** Days for which an entry is kept, shown until the service has answered. */
const DEFAULT_KEPT_DAYS = 30

export default function TrashPage() {
  const w = useWords(words)
  const [{ seite, anzahl, grund }, setSearch] = useSearchState(TRASH_PARAMETERS)
  const query = { seite: Math.max(1, seite), anzahl: String(anzahl), ...(grund && { grund }) }
  const trashQuery = useGet('papierkorb', { query, keepPrevious: true })
  const { data } = trashQuery

  // A page beyond the last one, for example because its entries were removed, is replaced by the last page.
  const lastPage = data ? Math.max(1, Math.ceil(data.gesamt / anzahl)) : null
  useEffect(() => {
    if (lastPage !== null && seite > lastPage) setSearch({ seite: lastPage }, { replace: true })
  }, [seite, lastPage, setSearch])

  return (
    <>
      <PageHeader title={w.trash} description={w.description(data?.maxTage ?? DEFAULT_KEPT_DAYS)} />
      <QueryResult query={trashQuery} skeleton={<RowsSkeleton height={ROW_HEIGHT} />}>
        {listedPage =>
          listedPage.gesamt === 0 && grund === null ? (
            <EmptyState icon={IconTrash} title={w.empty} description={w.emptyHint}>
              <Button component={Link} href={PAGES.files} variant="default">
                {w.toFiles}
              </Button>
            </EmptyState>
          ) : (
            <>
              <TrashUsage {...listedPage} isFiltered={grund !== null} />
              <ReasonFilter value={grund} onChange={reason => setSearch({ grund: reason, seite: 1 })} />
              {listedPage.gesamt === 0 ? (
                <EmptyState icon={IconTrash} title={w.noMatch} description={w.noMatchHint}>
                  <Button variant="default" onClick={() => setSearch({ grund: null })}>
                    {w.showAll}
                  </Button>
                </EmptyState>
              ) : (
                <TrashList
                  {...listedPage}
                  anzahl={anzahl}
                  isFiltered={grund !== null}
                  onPage={page => {
                    setSearch({ seite: page })
                    window.scrollTo(0, 0)
                  }}
                  onPageSize={size => setSearch({ anzahl: size, seite: 1 })}
                />
              )}
            </>
          )
        }
      </QueryResult>
    </>
  )
}

interface ReasonFilterProps {
  value: TrashReason | null
  onChange(value: TrashReason | null): void
}

function ReasonFilter({ value, onChange }: ReasonFilterProps) {
  const w = useWords(words)
  const reasonNames = useWords(reasonWords)
  return (
    <NativeSelect
      mb="md"
      maw={240}
      aria-label={w.reason}
      value={value ?? ''}
      data={[
        { value: '', label: w.anyReason },
        ...TRASH_REASONS.map(reason => ({ value: reason, label: reasonNames[reason] })),
      ]}
      onChange={event => onChange((event.currentTarget.value || null) as TrashReason | null)}
    />
  )
}

type TrashUsageProps = GetRoutes['papierkorb']['answer'] & { isFiltered: boolean }

function TrashUsage({ bytes, maxBytes, gesamt, isFiltered }: TrashUsageProps) {
  const { w, format } = useTexts(words)
  const usedAndMaxTexts = [format.bytes(bytes), format.bytes(maxBytes)] as const
  const filesText = w.filesCounted(gesamt, format.number(gesamt))
  // An account that sees only some of the files sees no limit, because the limit is that of the whole trash.
  if (!maySeeFolder(''))
    return (
      <Text size="sm" mb="md">
        {isFiltered ? w.spaceOwn(usedAndMaxTexts[0]) : w.spaceOwnFiles(usedAndMaxTexts[0], filesText)}
      </Text>
    )
  return (
    <Panel mb="md">
      <UsageBar label={w.space} usedAmount={bytes} limit={maxBytes} warning={w.spaceNear}>
        {isFiltered ? w.spaceBytes(...usedAndMaxTexts) : w.spaceUsed(...usedAndMaxTexts, filesText)}
      </UsageBar>
    </Panel>
  )
}

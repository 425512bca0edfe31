/** The trash: deleted files are restored, or removed for good. */

import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../../../src/contract/values/limits.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { useGet } from '../../api/use-get.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { number, oneOf, useSearchState } from '../../state/use-search-state.ts'
import { UsageBar } from '../../ui/charts/usage-bar.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { TrashList } from './trash-list.tsx'
import { words } from './words.ts'

const SEARCH = { seite: number(1), anzahl: oneOf(PAGE_SIZES, DEFAULT_PAGE_SIZE) }
const ROW_HEIGHT = 72
/** Days that an entry is kept, shown until the service has answered. */
const USUAL_DAYS = 30

export default function TrashPage() {
  const w = useWords(words)
  const [{ seite, anzahl }, setSearch] = useSearchState(SEARCH)
  const query = { seite: Math.max(1, seite), anzahl: String(anzahl) }
  const answer = useGet('papierkorb', { query, keepPrevious: true })
  const { data } = answer

  // The last page may become empty while it is shown.
  const lastPage = data ? Math.max(1, Math.ceil(data.gesamt / anzahl)) : null
  useEffect(() => {
    if (lastPage !== null && seite > lastPage) setSearch({ seite: lastPage }, { replace: true })
  }, [seite, lastPage, setSearch])

  return (
    <>
      <PageHeader title={w.trash} description={w.description(data?.maxTage ?? USUAL_DAYS)} />
      <Loaded query={answer} waiting={<RowsSkeleton height={ROW_HEIGHT} />}>
        {listed =>
          listed.gesamt === 0 ? (
            <EmptyState icon={IconTrash} title={w.empty} description={w.emptyHint}>
              <Button component={Link} href={PAGES.files} variant="default">
                {w.toFiles}
              </Button>
            </EmptyState>
          ) : (
            <>
              <Space {...listed} />
              <TrashList
                {...listed}
                anzahl={anzahl}
                onPage={page => {
                  setSearch({ seite: page })
                  window.scrollTo(0, 0)
                }}
                onPageSize={size => setSearch({ anzahl: size, seite: 1 })}
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function Space({ bytes, maxBytes, gesamt }: GetRoutes['papierkorb']['answer']) {
  const { w, format } = useTexts(words)
  const files = w.filesCounted(gesamt, format.number(gesamt))
  return (
    <Panel mb="md">
      <UsageBar label={w.space} used={bytes} bound={maxBytes} warning={w.spaceNear}>
        {w.spaceUsed(format.bytes(bytes), format.bytes(maxBytes), files)}
      </UsageBar>
    </Panel>
  )
}

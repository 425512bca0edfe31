import { Anchor, Breadcrumbs, Button } from '@mantine/core'
import { IconFolderOpen, IconListSearch } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useGet } from '../../api/use-get.ts'
import { useSearchState } from '../../hooks/use-search-state.ts'
import { useWords } from '../../language/language.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Pages } from '../../parts/pages.tsx'
import { CardsSkeleton } from '../../parts/skeletons.tsx'
import { Grid } from './grid.tsx'
import { SEARCH } from './search.ts'
import { words } from './words.ts'

export default function FilesPage() {
  const w = useWords(words)
  const [search, setSearch] = useSearchState(SEARCH)
  const { data, error, refetch } = useGet('media', { query: search, keepPrevious: true })
  const isEmpty = data && data.dateien.length === 0 && data.ordner.length === 0
  return (
    <>
      <PageHeader
        title={search.suche === '' ? w.title : w.results(search.suche)}
        description={<Crumbs folder={search.ordner} />}
      >
        <Button
          component={Link}
          href="/dateien/fehlende"
          variant="default"
          leftSection={<IconListSearch size={18} aria-hidden />}
        >
          {w.missing}
        </Button>
      </PageHeader>
      <ErrorNotice error={error} onRetry={refetch} />
      {!data && !error && <CardsSkeleton />}
      {isEmpty && (
        <EmptyState
          icon={IconFolderOpen}
          title={search.suche === '' ? w.empty : w.noResult}
          description={search.suche === '' ? w.emptyHint : w.noResultHint}
        />
      )}
      {data && <Grid {...data} />}
      {data && <Pages {...data} onPage={seite => setSearch({ seite })} />}
    </>
  )
}

function Crumbs({ folder }: { folder: string }) {
  const w = useWords(words)
  const parts = folder === '' ? [] : folder.split('/')
  return (
    <Breadcrumbs component="nav" aria-label={w.crumbs} separator="/" separatorMargin={4}>
      <Anchor component={Link} href="/dateien">
        {w.top}
      </Anchor>
      {parts.map((name, at) => {
        const path = parts.slice(0, at + 1).join('/')
        return (
          <Anchor key={path} component={Link} href={`/dateien?ordner=${path}`}>
            {name}
          </Anchor>
        )
      })}
    </Breadcrumbs>
  )
}

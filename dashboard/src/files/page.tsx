/** The files page: tree, open folder and opened file, all in the address. */
import { Button } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { type CSSProperties, lazy, type MouseEvent, Suspense, useRef, useState } from 'react'
import { useGet } from '../api/use-get.ts'
import { useTexts, useWords } from '../language/language.tsx'
import { PAGES } from '../state/addresses.ts'
import { nameOf } from '../state/paths.ts'
import { useStored } from '../state/use-stored.ts'
import { LinkButton, SignButton } from '../ui/buttons.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageHeader } from '../ui/lists/page-header.tsx'
import { Pages } from '../ui/lists/pages.tsx'
import { RowsSkeleton } from '../ui/skeletons.tsx'
import { draggableFolder, folderZone } from './actions/drag.ts'
import { ContextMenu, useLabel } from './commands/command-menu.tsx'
import { applies, COMMANDS, runKey } from './commands/commands.tsx'
import { Crumbs } from './crumbs.tsx'
import { Details } from './details/details.tsx'
import { useKeepPlace } from './details/use-keep-place.ts'
import classes from './files.module.css'
import { FilesPageContext, useFilesPage } from './files-context.ts'
import { CardsSkeleton } from './gallery/card.tsx'
import { Gallery } from './gallery/gallery.tsx'
import { isFiltered, useFilesAddress } from './listing/search.ts'
import { foldersOf, type Listing } from './listing/use-listing.ts'
import { EmptyList } from './nothing.tsx'
import { SearchScope } from './search-scope.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { FIRST_TILE, Toolbar, type View } from './toolbar.tsx'
import { Tree } from './tree/tree.tsx'
import { TreePane, useIsWide } from './tree/tree-pane.tsx'
import { useFilesState } from './use-files-state.tsx'
import { words } from './words.ts'

/** Loaded when the first file is opened. */
const Viewer = lazy(() => import('../viewer/viewer.tsx'))

export default function FilesPage() {
  const { page, dialog, menu, closeMenu } = useFilesState()
  const { search } = useFilesAddress()
  const [treeOpen, setTreeOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useKeepPlace(place, page.opened.listed)
  return (
    <FilesPageContext value={page}>
      <div ref={place} className={classes.page} data-drawer={search.datei !== '' || undefined}>
        <TreePane opened={treeOpen} onClose={() => setTreeOpen(false)}>
          <FolderTree onPicked={() => setTreeOpen(false)} />
        </TreePane>
        <Content onFolders={() => setTreeOpen(true)} />
        {search.datei !== '' && <Details />}
        <SelectionBar />
        <ContextMenu open={menu} onClose={closeMenu} />
        {dialog}
        {search.gross !== '' && (
          <Suspense fallback={null}>
            <Viewer />
          </Suspense>
        )}
      </div>
    </FilesPageContext>
  )
}

function Content({ onFolders }: { onFolders(): void }) {
  const { listing } = useFilesPage()
  const { setSearch } = useFilesAddress()
  const wide = useIsWide()
  // Preferences, not parts of the address.
  const [view, setView] = useStored<View>('fundus-ansicht', 'grid')
  const [tile, setTile] = useStored('fundus-kachel', FIRST_TILE)
  const { data } = listing
  return (
    <div className={classes.content} style={tileStyle(tile)}>
      <Heading />
      <Toolbar
        view={view}
        onView={setView}
        tile={tile}
        onTile={setTile}
        onFolders={wide ? null : onFolders}
      />
      <NewFiles {...listing} />
      <ErrorNotice error={listing.error} onRetry={listing.retry} />
      <PageContent view={view} />
      {data && <Pages {...data} onPage={seite => turn(() => setSearch({ seite, datei: '' }))} />}
    </div>
  )
}

/** Files and folders of the page; if empty, the reason. */
function PageContent({ view }: { view: View }) {
  const { listing } = useFilesPage()
  const { search } = useFilesAddress()
  const { data, files, leaving } = listing
  const folders = data ? foldersOf(data) : []
  const isEmpty = folders.length === 0 && files.length === 0
  // An empty filter result is reported even if there are folders.
  const hasNothing = listing.absent || (data && files.length === 0 && (isEmpty || isFiltered(search)))
  return (
    <>
      {!data && !listing.error && !listing.absent && !leaving && <Outlines view={view} />}
      {(!isEmpty || leaving) && (
        <Gallery
          files={leaving?.dateien ?? files}
          folders={leaving?.ordner ?? folders}
          turning={listing.turning || leaving !== null}
          leaving={leaving !== null}
          view={view}
        />
      )}
      {hasNothing && <EmptyList total={data?.gesamt ?? 0} />}
    </>
  )
}

const Outlines = ({ view }: { view: View }) => (view === 'grid' ? <CardsSkeleton /> : <RowsSkeleton />)

/** At least two small cards in a row, even on the narrowest window. */
const tileStyle = (tile: number) =>
  ({ '--tile': `${tile}px`, '--tile-most': tile > FIRST_TILE ? '100%' : '44%' }) as CSSProperties

/** New files wait for this button, so that the list does not move by itself. */
function NewFiles({ waiting, takeOrder }: Listing) {
  const { w, format } = useTexts(words)
  if (waiting.length === 0) return null
  return (
    <div className={classes.news}>
      <Button size="xs" onClick={takeOrder}>
        {w.waiting(waiting.length, format.number(waiting.length))}
      </Button>
    </div>
  )
}

function Heading() {
  const w = useWords(words)
  const { commands } = useFilesPage()
  const { search } = useFilesAddress()
  const title = search.ordner === '' ? w.files : nameOf(search.ordner)
  const { icon, run } = COMMANDS.newFolder
  const label = useLabel()(COMMANDS.newFolder, search.ordner)
  return (
    <PageHeader title={search.suche === '' ? title : w.results(search.suche)} description={<Crumbs />}>
      <SearchScope />
      {search.suche === '' && applies(COMMANDS.newFolder, search.ordner) && (
        <SignButton
          {...{ icon, label }}
          signSize={18}
          variant="default"
          visibleFrom="sm"
          onClick={() => run(search.ordner, commands)}
        />
      )}
      <LinkButton
        icon={IconListSearch}
        label={w.missingFiles}
        signSize={18}
        href={PAGES.missing}
        visibleFrom="sm"
      />
    </PageHeader>
  )
}

/** Scrolls up for a new page. */
function turn(go: () => void): void {
  go()
  window.scrollTo({ top: 0 })
}

function FolderTree({ onPicked }: { onPicked(): void }) {
  const { commands, openMenu, moveTo } = useFilesPage()
  const { search, enter } = useFilesAddress()
  const { data: folders = [], error, refetch } = useGet('folders')
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  return (
    <Tree
      folders={folders}
      current={search.ordner}
      onPick={folder => {
        enter(folder)
        onPicked()
      }}
      onKey={(keys, folder) => runKey(keys, folder, commands)}
      rowProps={folder => ({
        ...folderZone(folder, moveTo),
        ...(folder !== '' && draggableFolder(folder, nameOf(folder))),
        onContextMenu(event: MouseEvent) {
          event.preventDefault()
          openMenu({ target: folder, x: event.clientX, y: event.clientY, from: event.currentTarget })
        },
      })}
    />
  )
}

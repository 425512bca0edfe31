/** The files page: the tree, the open folder and the opened file. The address holds all of it. */
import { Button } from '@mantine/core'
import { IconFolderPlus, IconListSearch } from '@tabler/icons-react'
import { type CSSProperties, lazy, type MouseEvent, Suspense, useRef, useState } from 'react'
import { useGet } from '../../api/use-get.ts'
import { useStored } from '../../hooks/use-stored.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { LinkButton, SignButton } from '../../parts/buttons.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Pages } from '../../parts/pages.tsx'
import { nameOf } from '../../parts/paths.ts'
import { RowsSkeleton } from '../../parts/skeletons.tsx'
import { ContextMenu } from './actions/context-menu.tsx'
import { Dialogs } from './actions/dialogs.tsx'
import { dropTarget, endDrag, startDrag } from './actions/drag.ts'
import { runFolderKey } from './actions/folder-keys.ts'
import { CardsSkeleton, MAY_DRAG } from './cards/card.tsx'
import { Crumbs } from './crumbs.tsx'
import { Drawer } from './drawer/drawer.tsx'
import { useKeepPlace } from './drawer/use-keep-place.ts'
import classes from './files.module.css'
import { Gallery } from './gallery.tsx'
import { Nothing, reasonFor } from './nothing.tsx'
import { isFiltered } from './search.ts'
import { SearchScope } from './search-scope.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { FIRST_TILE, Toolbar, type View } from './toolbar.tsx'
import { Tree } from './tree/tree.tsx'
import { TreePane, useIsWide } from './tree/tree-pane.tsx'
import { type FilesPageState, useFilesPage } from './use-files-page.ts'
import { foldersOf } from './use-listing.ts'
import { actionWords, words } from './words.ts'

/** Its code is fetched when the first file is looked at closely. */
const LightTable = lazy(() => import('./light/light-table.tsx'))

export default function FilesPage() {
  const page = useFilesPage()
  const { search, state, listing, opened, actions, fileActions, folderActions, table } = page
  const [treeOpen, setTreeOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useKeepPlace(place, opened.listed)
  return (
    <div ref={place} className={classes.page} data-drawer={search.datei !== '' || undefined}>
      <TreePane opened={treeOpen} onClose={() => setTreeOpen(false)}>
        <FolderTree page={page} onPicked={() => setTreeOpen(false)} />
      </TreePane>
      <Content page={page} onFolders={() => setTreeOpen(true)} />
      {search.datei !== '' && (
        <Drawer
          opened={opened}
          actions={actions}
          hrefOf={page.folderHref}
          onShow={page.show}
          onPreview={table.show}
          onMove={file => fileActions.onMove([file])}
          onRemove={file => fileActions.onRemove([file])}
          onClose={page.close}
        />
      )}
      <SelectionBar {...fileActions} state={state} listed={listing.files} total={listing.data?.gesamt ?? 0} />
      <ContextMenu open={page.menu.open} onClose={page.menu.onClose} {...fileActions} {...folderActions} />
      <Dialogs {...page.dialog} actions={actions} />
      {search.gross !== '' && (
        <Suspense fallback={null}>
          <LightTable table={table} hrefOf={page.folderHref} onRename={fileActions.onRename} />
        </Suspense>
      )}
    </div>
  )
}

function Content({ page, onFolders }: { page: FilesPageState; onFolders(): void }) {
  const { search, setSearch, listing } = page
  const wide = useIsWide()
  // Habits of the person, not parts of the address.
  const [view, setView] = useStored<View>('fundus-ansicht', 'grid')
  const [tile, setTile] = useStored('fundus-kachel', FIRST_TILE)
  const { data } = listing
  return (
    <div className={classes.content} style={tileStyle(tile)}>
      <Heading page={page} />
      <Toolbar
        search={search}
        onChange={setSearch}
        view={view}
        onView={setView}
        tile={tile}
        onTile={setTile}
        onFolders={wide ? null : onFolders}
      />
      <NewFiles {...listing} />
      <ErrorNotice error={listing.error} onRetry={listing.retry} />
      <Listed page={page} view={view} />
      {data && <Pages {...data} onPage={seite => turn(() => setSearch({ seite, datei: '' }))} />}
    </div>
  )
}

/** The files and folders of the page, or why there are none. */
function Listed({ page, view }: { page: FilesPageState; view: View }) {
  const { search, setSearch, listing } = page
  const { data, files, leaving } = listing
  const folders = data ? foldersOf(data) : []
  const isEmpty = folders.length === 0 && files.length === 0
  // A filter that finds nothing is said also where there are folders to go on into.
  const hasNothing = listing.absent || (data && files.length === 0 && (isEmpty || isFiltered(search)))
  return (
    <>
      {!data && !listing.error && !listing.absent && !leaving && <Outlines view={view} />}
      {(!isEmpty || leaving) && (
        <Gallery
          {...page.fileActions}
          onFolderKey={(keys, folder) => void runFolderKey(keys, folder, page.folderActions)}
          files={leaving?.dateien ?? files}
          folders={leaving?.ordner ?? folders}
          turning={listing.turning || leaving !== null}
          leaving={leaving !== null}
          search={search}
          onSearch={setSearch}
          view={view}
          state={page.state}
          fileHref={page.fileHref}
          folderHref={page.folderHref}
          onOpen={page.show}
          onMenu={page.menu.show}
          onDrop={page.drop}
          onEscape={page.close}
        />
      )}
      {hasNothing && (
        <Nothing
          search={search}
          reason={reasonFor(search, data?.gesamt ?? 0)}
          onChange={setSearch}
          hrefOf={page.folderHref}
          onUploadTo={page.folderActions.onUploadTo}
        />
      )}
    </>
  )
}

const Outlines = ({ view }: { view: View }) => (view === 'grid' ? <CardsSkeleton /> : <RowsSkeleton />)

/** Small cards never stand alone in their row: on the narrowest window two share it. */
const tileStyle = (tile: number) =>
  ({ '--tile': `${tile}px`, '--tile-most': tile > FIRST_TILE ? '100%' : '44%' }) as CSSProperties

/** New files wait for this button, so that the list does not move by itself. */
function NewFiles({ waiting, takeOrder }: FilesPageState['listing']) {
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

function Heading({ page }: { page: FilesPageState }) {
  const { search, setSearch, folderActions } = page
  const w = useWords(words)
  const a = useWords(actionWords)
  const title = search.ordner === '' ? w.title : nameOf(search.ordner)
  return (
    <PageHeader
      title={search.suche === '' ? title : w.results(search.suche)}
      description={
        <Crumbs folder={search.ordner} hrefOf={page.folderHref} onDrop={page.drop} menu={folderActions} />
      }
    >
      <SearchScope search={search} onChange={setSearch} />
      {search.suche === '' && (
        <SignButton
          icon={IconFolderPlus}
          label={a.newFolder}
          signSize={18}
          variant="default"
          visibleFrom="sm"
          onClick={() => folderActions.onNewFolder(search.ordner)}
        />
      )}
      <LinkButton
        icon={IconListSearch}
        label={w.missing}
        signSize={18}
        href="/dateien/fehlende"
        visibleFrom="sm"
      />
    </PageHeader>
  )
}

/** Scrolls up, since a new page is read from its top. */
function turn(go: () => void): void {
  go()
  window.scrollTo({ top: 0 })
}

function FolderTree({ page, onPicked }: { page: FilesPageState; onPicked(): void }) {
  const { data: folders = [], error, refetch } = useGet('folders')
  const menu = (folder: string) => (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    page.menu.show({ folder, x: event.clientX, y: event.clientY, from: event.currentTarget })
  }
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  return (
    <Tree
      folders={folders}
      current={page.search.ordner}
      onPick={folder => {
        page.enter(folder)
        onPicked()
      }}
      onKey={(keys, folder) => runFolderKey(keys, folder, page.folderActions)}
      rowProps={folder => ({
        ...dropTarget(folder, page.drop),
        onContextMenu: menu(folder),
        ...(folder !== '' && {
          draggable: MAY_DRAG,
          onDragStart: (event: React.DragEvent) => startDrag(event.dataTransfer, { folder }, nameOf(folder)),
          onDragEnd: endDrag,
        }),
      })}
    />
  )
}

/**
 * The files page: the folder tree, the files of the open folder or search, and the opened file. The address
 * determines which folder, search and file these are.
 */
import { Button } from '@mantine/core'
import { lazy, type MouseEvent, Suspense, useEffect, useState } from 'react'
import { useGet, usePrefetch } from '../api/use-get.ts'
import { useTexts, useWords } from '../language/language.tsx'
import { hasActiveFilters } from '../state/filter-search.ts'
import { useObservable } from '../state/observable.ts'
import { nameOf } from '../state/paths.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Pagination } from '../ui/lists/pages.tsx'
import { Tree } from '../ui/tree/tree.tsx'
import { uploadsState } from '../uploads/uploads.ts'
import { folderDragProps, folderDropZone } from './actions/drag.ts'
import { FilesBar } from './bar/bar.tsx'
import type { TreeSwitch } from './bar/breadcrumbs.tsx'
import { ContextMenu } from './commands/command-menu.tsx'
import { runCommandByKeys } from './commands/commands.tsx'
import { EmptyList } from './empty-list.tsx'
import classes from './files.module.css'
import { FilesPageContext, type FilesPage as FilesPageState, useFilesPage } from './files-context.ts'
import { FilterChips } from './filters/chips.tsx'
import { PinnedList } from './filters/pinned-list.tsx'
import { Gallery } from './gallery/gallery.tsx'
import { GallerySkeleton } from './gallery/outlines.tsx'
import { NextPageTrigger } from './listing/next-page-trigger.tsx'
import { listingQuery, useFilesAddress } from './listing/search.ts'
import { foldersOf, type Listing } from './listing/use-listing.ts'
import { SelectionBar } from './selection-bar.tsx'
import { TreePane, useIsWindowWide } from './tree/tree-pane.tsx'
import type { LibraryAnswer } from './types.ts'
import { useFilesState } from './use-files-state.tsx'
import { words } from './words.ts'

/**
 * The code of the details is fetched as soon as the files are shown, so that the details of the first file
 * open without delay.
 */
const loadDetails = () => import('./details/details.tsx')
const Details = lazy(loadDetails)
/** The code of the viewer is loaded when a file is opened in it for the first time. */
const Viewer = lazy(() => import('./viewer/viewer.tsx'))

export default function FilesPage() {
  const { page, dialog, menu, closeMenu } = useFilesState()
  const { search } = useFilesAddress()
  const treeState = useTreeState(page)
  const isListLoaded = page.listing.data !== undefined
  useEffect(() => {
    // If loading fails, opening a file tries again.
    if (isListLoaded) loadDetails().catch(() => {})
  }, [isListLoaded])
  return (
    <FilesPageContext value={page}>
      <div className={classes.page} data-drawer={search.datei !== '' || undefined}>
        <TreePane {...treeState}>
          <PinnedList onPicked={treeState.onPicked} />
          <FolderTree onPicked={treeState.onPicked} />
        </TreePane>
        <FilesContent treeSwitch={treeState} />
        {search.datei !== '' && (
          <Suspense fallback={null}>
            <Details />
          </Suspense>
        )}
        <SelectionBar />
        <ContextMenu shownMenu={menu} onClose={closeMenu} />
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

/**
 * The state of the folder tree. In a wide window the tree is beside the files, and this browser stores
 * whether it is hidden. In a narrow window it opens as a drawer.
 */
function useTreeState({
  viewOptions,
  setViewOptions,
}: Pick<FilesPageState, 'viewOptions' | 'setViewOptions'>) {
  const isWide = useIsWindowWide()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isShown = isWide ? !viewOptions.isTreeHidden : isDrawerOpen
  const setShown = (shouldShow: boolean) =>
    isWide ? setViewOptions({ isTreeHidden: !shouldShow }) : setDrawerOpen(shouldShow)
  return {
    isWide,
    isShown,
    toggle: () => setShown(!isShown),
    onClose: () => setDrawerOpen(false),
    onPicked: () => setDrawerOpen(false),
  }
}

function FilesContent({ treeSwitch }: { treeSwitch: TreeSwitch }) {
  const { listing, viewOptions } = useFilesPage()
  const { search, setSearch } = useFilesAddress()
  const prefetch = usePrefetch()
  const { data } = listing
  return (
    <div className={classes.content}>
      <FilesBar treeSwitch={treeSwitch} />
      {viewOptions.hasInfiniteScrolling && search.seite > 1 && <PreviousPageButton />}
      <FilterChips />
      <NewFilesButton {...listing} />
      <ErrorNotice error={listing.error} onRetry={listing.retry} />
      <PageContent />
      {viewOptions.hasInfiniteScrolling && <NextPageTrigger />}
      {data && !replacesPagination(data, listing, viewOptions.hasInfiniteScrolling) && (
        <Pagination
          {...data}
          seite={data.seite + listing.pageCount - 1}
          onPage={seite => changePage(() => setSearch({ seite, datei: '' }))}
          onApproach={seite => prefetch('media', listingQuery({ ...search, seite }))}
        />
      )}
    </div>
  )
}

/**
 * Whether infinite scrolling makes page numbers unnecessary: it can load further pages, or the last file is
 * already shown.
 */
const replacesPagination = (
  { seite, anzahl, gesamt }: LibraryAnswer,
  { hasMore, pageCount }: Listing,
  hasInfiniteScrolling: boolean,
) => hasInfiniteScrolling && (hasMore || (seite - 1 + pageCount) * anzahl >= gesamt)

/**
 * A button that opens the previous page. Shown if infinite scrolling is on and the list does not begin at the
 * first page.
 */
function PreviousPageButton() {
  const w = useWords(words)
  const { search, setSearch } = useFilesAddress()
  return (
    <Button variant="subtle" size="compact-sm" onClick={() => setSearch({ seite: search.seite - 1 })}>
      {w.showPreviousPage}
    </Button>
  )
}

/**
 * The files and folders of the page. While they load, the previous list is shown for a moment, then
 * placeholders. If there are none, the reason is shown.
 */
function PageContent() {
  const { listing, viewOptions } = useFilesPage()
  const { search } = useFilesAddress()
  const { data, files, previousList } = listing
  const folders = data ? foldersOf(data) : []
  const isEmpty = folders.length === 0 && files.length === 0
  // An empty filter result is reported even if there are folders.
  const showsEmptyList =
    listing.isAbsent || (data && files.length === 0 && (isEmpty || hasActiveFilters(search)))
  return (
    <>
      {!data && !listing.error && !listing.isAbsent && !previousList && (
        <GallerySkeleton view={viewOptions.view} />
      )}
      {(!isEmpty || previousList) && (
        <Gallery
          files={previousList?.dateien ?? files}
          folders={previousList?.ordner ?? folders}
          isPageLoading={listing.isPageLoading || previousList !== null}
          isOutdated={previousList !== null}
        />
      )}
      {showsEmptyList && <EmptyList total={data?.gesamt ?? 0} />}
    </>
  )
}

/**
 * A button that moves new files, added by others or in other windows, to their sorted position; hidden if
 * there are none. Until it is clicked, the list stays as it is, unless the user uploads or changes files in
 * this window.
 */
function NewFilesButton({ waitingIds, showSortedOrder }: Listing) {
  const { w, format } = useTexts(words)
  const { items, activeCount } = useObservable(uploadsState)
  const isUploadedHere = (id: string) =>
    items.some(({ storedFiles }) => storedFiles.some(file => file.id === id))
  const otherIds = waitingIds.filter(id => !isUploadedHere(id))
  // Users expect their own uploads at the sorted position, so the list is sorted once all uploads of this
  // window have ended.
  const mustSortOwnUploads = activeCount === 0 && otherIds.length < waitingIds.length
  useEffect(() => {
    if (mustSortOwnUploads) showSortedOrder()
  }, [mustSortOwnUploads, showSortedOrder])
  if (otherIds.length === 0) return null
  return (
    <div className={classes.news}>
      <Button size="xs" onClick={showSortedOrder}>
        {w.sortInNewFiles(otherIds.length, format.number(otherIds.length))}
      </Button>
    </div>
  )
}

/** Opens another page of the list and scrolls to the top. */
function changePage(openPage: () => void): void {
  openPage()
  window.scrollTo({ top: 0 })
}

function FolderTree({ onPicked }: { onPicked(): void }) {
  const { commands, openMenu, moveTo } = useFilesPage()
  const { search, openFolder } = useFilesAddress()
  const { data: folders = [], error, refetch } = useGet('folders')
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  return (
    <Tree
      folders={folders}
      currentFolder={search.ordner}
      onPick={folder => {
        openFolder(folder)
        onPicked()
      }}
      onKey={(keys, folder) => runCommandByKeys(keys, folder, commands)}
      rowProps={folder => ({
        ...folderDropZone(folder, moveTo),
        ...(folder !== '' && folderDragProps(folder, nameOf(folder))),
        onContextMenu(event: MouseEvent) {
          event.preventDefault()
          openMenu({ target: folder, x: event.clientX, y: event.clientY, returnFocusTo: event.currentTarget })
        },
      })}
    />
  )
}

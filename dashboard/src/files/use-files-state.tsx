/**
 * Assembles what the components of the files page share: list, appearance, selection, opened file, viewer,
 * commands, dialog and menu.
 */
import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { currentFilesSearch, type FilesSearch, type SetFilesSearch } from '../state/addresses.ts'
import { folderOf, isWithin } from '../state/paths.ts'
import { createSelection } from '../state/selection.ts'
import { useNotify } from '../ui/notify.tsx'
import { useCopyPicture } from './actions/copy-picture.ts'
import { useDownload } from './actions/download.ts'
import { type ActionEvents, type Actions, useActions } from './actions/use-actions.ts'
import { useCopyAddresses } from './actions/use-copy.ts'
import { useOpenedFile } from './details/use-opened-file.ts'
import type { ContextMenuState, FilesPage, PageFunctions } from './files-context.ts'
import { usePinFolder } from './filters/use-bookmarks.ts'
import { focusCard } from './focus.ts'
import { listingKeyOf, resultQuery, useFilesAddress } from './listing/search.ts'
import { type Listing, useListing } from './listing/use-listing.ts'
import type { FileSelection, Target, WholeResult } from './target.ts'
import type { FileAnswer } from './types.ts'
import { useViewOptions } from './view-options.ts'
import { type FindSuccessor, useFindSuccessor, useViewer } from './viewer/use-viewer.ts'

export function useFilesState() {
  const { search, setSearch, openFolder } = useFilesAddress()
  const { viewOptions, setViewOptions } = useViewOptions()
  const listing = useListing(search, viewOptions.hasInfiniteScrolling)
  const [selection] = useState(() => createSelection<FileAnswer, WholeResult>(({ id }) => id))
  const [dialog, setDialog] = useState<ReactNode>(null)
  const [menu, setMenu] = useState<ContextMenuState | null>(null)
  const listKey = listingKeyOf(search)
  useUpdateSelection(selection, listing, listKey, resultQuery(search))
  useScrollToTop(listKey)
  const openedFile = useOpenedFile(search.datei, listing.files)
  const findSuccessor = useFindSuccessor(listing.files)
  const actions = useActions(useAddressUpdates(setSearch, selection, listing, findSuccessor))
  const viewer = useViewer({
    listing,
    selection,
    findSuccessor,
    onRemove: file => void actions.remove([file]),
  })
  const commands: PageFunctions = {
    actions,
    copy: useCopyAddresses(),
    copyPicture: useCopyPicture(),
    download: useDownload(),
    showDetails(file) {
      selection.setCursor(file.id)
      // Browsing in the details adds only one history entry, so that one step back closes them.
      setSearch({ datei: file.path }, { replace: search.datei !== '' })
    },
    showPreview: viewer.show,
    openFolder,
    pin: usePinFolder(),
    openDialog: createDialog =>
      setDialog(<Suspense fallback={null}>{createDialog(() => setDialog(null))}</Suspense>),
  }
  const closeDetails = () => {
    setSearch({ datei: '' }, { replace: true })
    const { cursor } = selection.state()
    if (cursor !== null) focusCard(document.body, cursor, { preventScroll: true })
  }
  const page: FilesPage = {
    listing,
    viewOptions,
    setViewOptions,
    selection,
    viewer,
    commands,
    openedFile: { ...openedFile, close: closeDetails },
    openMenu: setMenu,
    moveTo: useMoveDroppedTarget(actions),
  }
  return { page, dialog, menu, closeMenu: () => setMenu(null) }
}

/**
 * Tells the selection which files are on screen and to which list they belong, so that the user can select
 * the whole list.
 */
function useUpdateSelection(
  selection: FileSelection,
  { files, data }: Listing,
  listKey: string,
  query: WholeResult['query'],
): void {
  const total = data?.gesamt ?? 0
  const queryJson = JSON.stringify(query)
  useLayoutEffect(
    () => selection.show(files, { listKey, wholeList: { query: JSON.parse(queryJson), total } }),
    [selection, files, listKey, queryJson, total],
  )
}

/** Scrolls to the top when another list is shown: another folder, search or filter. */
function useScrollToTop(listKey: string): void {
  const lastListKey = useRef(listKey)
  useLayoutEffect(() => {
    if (lastListKey.current !== listKey) scrollTo({ top: 0 })
    lastListKey.current = listKey
  }, [listKey])
}

/**
 * Returns a function that moves files or a folder dropped on a folder. It shows refusals and errors as
 * notices.
 */
function useMoveDroppedTarget(actions: Actions): (target: Target, folder: string) => void {
  const notify = useNotify()
  return (target, folder) =>
    void actions.move(target, folder).then(notify.showRefusals, (error: Error) => notify.showError(error))
}

/**
 * Returns handlers for files and folders that have been renamed, moved or deleted. They update the selection,
 * the order of the list, and the address, which they read again because it may have changed since the action
 * began.
 */
function useAddressUpdates(
  setSearch: SetFilesSearch,
  selection: FileSelection,
  { files, showSortedOrder }: Listing,
  findSuccessor: FindSuccessor,
): ActionEvents {
  /**
   * The path that the viewer shows after the file at `path` was moved out of the list to `newPath`: as after
   * a deletion, the path of the next file, or else of the previous one. If there is neither, `newPath`.
   */
  const viewerPathAfterMove = (path: string, newPath: string) => {
    const file = files.find(listedFile => listedFile.path === path)
    return (file && findSuccessor(file)?.path) ?? newPath
  }
  return {
    onChange: showSortedOrder,
    onPathsChanged(changes) {
      selection.deselectWhere(({ path }) => {
        const newPath = changes.get(path)
        return newPath === null || (newPath !== undefined && folderOf(path) !== folderOf(newPath))
      })
      const search = currentFilesSearch()
      if (!search) return
      const newPathOf = (path: string) => changes.get(path) ?? (changes.has(path) ? '' : path)
      const datei = newPathOf(search.datei)
      const newViewerPath = newPathOf(search.gross)
      const gross =
        newViewerPath !== '' && leavesList(search, newViewerPath)
          ? viewerPathAfterMove(search.gross, newViewerPath)
          : newViewerPath
      if (datei !== search.datei || gross !== search.gross) setSearch({ datei, gross }, { replace: true })
    },
    onFolderChanged(folder, newPath) {
      const search = currentFilesSearch()
      if (!search || !isWithin(search.ordner, folder)) return
      const ordner = newPath === null ? folderOf(folder) : newPath + search.ordner.slice(folder.length)
      setSearch({ ordner, datei: '', gross: '', seite: 1 }, { replace: true })
    },
  }
}

/**
 * Whether a file that was moved to this path has left the list. A search or a list with subfolders may still
 * contain it.
 */
const leavesList = ({ ordner, suche, unterordner }: FilesSearch, path: string) =>
  suche === '' && !unterordner && folderOf(path) !== ordner

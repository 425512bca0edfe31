/**
 * The file in the viewer, and functions that show the previous and next file, also across pages of the list.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useGet } from '../../api/use-get.ts'
import { useOpenedFile } from '../details/use-opened-file.ts'
import { DETAILS_ID, focusCard } from '../focus.ts'
import { listingQuery, useFilesAddress } from '../listing/search.ts'
import type { Listing } from '../listing/use-listing.ts'
import type { FileSelection } from '../target.ts'
import type { FileAnswer } from '../types.ts'

export type ViewerState = ReturnType<typeof useViewer>

export interface ViewerOptions {
  listing: Listing
  selection: FileSelection
  findSuccessor: FindSuccessor
  onRemove(file: FileAnswer): void
}

export function useViewer({ listing, selection, findSuccessor, onRemove }: ViewerOptions) {
  const { search, setSearch } = useFilesAddress()
  const { files, data } = listing
  const openedFile = useOpenedFile(search.gross, files)
  const { previousFile, nextFile, listedId } = openedFile
  const isOpen = search.gross !== ''

  const show = (file: FileAnswer) => {
    selection.setCursor(file.id)
    // Stepping through files adds only one history entry, so that one step back closes the viewer. If the
    // details are open, they change to the same file.
    setSearch({ gross: file.path, ...(search.datei !== '' && { datei: file.path }) }, { replace: isOpen })
  }
  const close = () => setSearch({ gross: '' }, { replace: true })
  const showAfterPageChange = useShowAfterPageChange(listing, listedId, show)
  useRestoreFocus(isOpen, search.datei !== '', selection)

  const index = files.findIndex(({ id }) => id === listedId)
  const precedingFileCount = (search.seite - 1) * search.anzahl
  /**
   * The position of the shown file among all files of the folder or search, and their number; null if the
   * file is not on the loaded pages of the list.
   */
  const counter =
    data && index >= 0
      ? { position: precedingFileCount + index + 1, total: Math.max(data.gesamt, index + 1) }
      : null
  const canStep = (step: 1 | -1) =>
    counter !== null && (step === 1 ? counter.position < counter.total : counter.position > 1)
  const firstOfNextPage = useFirstFileOfNextPage(
    listing.pageCount,
    isOpen && nextFile === undefined && canStep(1),
  )
  return {
    openedFile,
    /**
     * The next and the previous file, in this order; after the last file of a page, the first one of the next
     * page counts as the next file.
     */
    neighbours: [nextFile ?? firstOfNextPage, previousFile],
    counter,
    show,
    close,
    openDetails: ({ path }: FileAnswer) => setSearch({ gross: '', datei: path }, { replace: true }),
    canStep,
    step(step: 1 | -1) {
      const neighbour = step === 1 ? nextFile : previousFile
      if (neighbour) show(neighbour)
      else if (canStep(step)) {
        showAfterPageChange(step)
        setSearch({ seite: search.seite + (step === 1 ? listing.pageCount : -1) }, { replace: true })
      }
    },
    /**
     * Deletes the file, and shows the one that `findSuccessor` returns; closes the viewer if there is none.
     */
    remove(file: FileAnswer) {
      const successor = findSuccessor(file)
      if (successor) show(successor)
      else close()
      onRemove(file)
    },
  }
}

/**
 * The first file after the shown pages; the page that contains it is usually prefetched. Undefined until it
 * has loaded, or if there is no such page.
 */
function useFirstFileOfNextPage(shownPageCount: number, isNeeded: boolean): FileAnswer | undefined {
  const { search } = useFilesAddress()
  const query = listingQuery({ ...search, seite: search.seite + shownPageCount })
  return useGet('media', { query, enabled: isNeeded }).data?.dateien[0]
}

export type FindSuccessor = ReturnType<typeof useFindSuccessor>

/**
 * Returns a function that finds the file to show after one has been removed: the next file of the list, or
 * else the previous one. The function remembers removed files, because after quick deletions the list still
 * contains them.
 */
export function useFindSuccessor(files: readonly FileAnswer[]) {
  const removedFiles = useRef({ files, ids: new Set<string>() })
  return ({ id }: Pick<FileAnswer, 'id'>): FileAnswer | undefined => {
    if (removedFiles.current.files !== files) removedFiles.current = { files, ids: new Set() }
    const { ids } = removedFiles.current
    ids.add(id)
    const index = files.findIndex(file => file.id === id)
    const isNotRemoved = (file: FileAnswer) => !ids.has(file.id)
    return (
      files.slice(index + 1).find(isNotRemoved) ?? files.slice(0, Math.max(0, index)).findLast(isNotRemoved)
    )
  }
}

/**
 * Returns a function to call when the next page of the list is opened (1), or the previous one (-1). Once
 * that page has loaded, its first or last file is shown.
 */
function useShowAfterPageChange(
  { files, isPageLoading }: Listing,
  listedId: string | null,
  show: (file: FileAnswer) => void,
) {
  const [direction, setDirection] = useState<1 | -1 | null>(null)
  const showFirstOrLastFile = useEffectEvent(() => {
    const file = files.at(direction === 1 ? 0 : -1)
    if (!file) return
    setDirection(null)
    show(file)
  })
  const isPageLoaded = direction !== null && !isPageLoading && listedId === null && files.length > 0
  useEffect(() => {
    if (isPageLoaded) showFirstOrLastFile()
  }, [isPageLoaded])
  return setDirection
}

/**
 * When the viewer is closed, moves the focus to the details if they are open, or else to the card of the
 * file.
 */
function useRestoreFocus(isOpen: boolean, areDetailsOpen: boolean, selection: FileSelection): void {
  const wasOpen = useRef(isOpen)
  const restoreFocus = useEffectEvent(() => {
    const { cursor } = selection.state()
    if (areDetailsOpen) document.getElementById(DETAILS_ID)?.focus()
    else if (cursor !== null) focusCard(document.body, cursor)
  })
  useEffect(() => {
    if (wasOpen.current && !isOpen) restoreFocus()
    wasOpen.current = isOpen
  }, [isOpen])
}

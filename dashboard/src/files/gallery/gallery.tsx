/** The folders and files of the page, with mouse, touch and keyboard handling. */
import { type RefObject, useRef } from 'react'
import { useTexts } from '../../language/language.tsx'
import { folderOf, nameOf } from '../../state/paths.ts'
import { hasMinimumRole } from '../../state/rights.ts'
import { useSelection } from '../../state/selection.ts'
import { startDrag } from '../actions/drag.ts'
import { useFilesPage } from '../files-context.ts'
import { useFilesAddress } from '../listing/search.ts'
import { type FileTarget, fileCountOf } from '../target.ts'
import type { FileAnswer, Folder } from '../types.ts'
import { actionWords } from '../words.ts'
import { FileCards } from './card.tsx'
import classes from './cards.module.css'
import { FileList } from './file-list.tsx'
import { FolderCards } from './folder-cards.tsx'
import type { Layout } from './layout/layout.ts'
import { useLayout } from './layout/use-layout.ts'
import { useCardEvents } from './use-card-events.ts'
import { useFocusAfterRemoval, useGalleryKeys } from './use-gallery-keys.ts'
import { useRubberBand } from './use-rubber-band.ts'

export interface GalleryProps {
  files: readonly FileAnswer[]
  folders: readonly Folder[]
  /** Whether other files are loading, which will replace these. */
  isPageLoading: boolean
  /**
   * Whether these are the files of the previous folder or search, which can no longer be clicked or selected.
   */
  isOutdated: boolean
}

export function Gallery({ files, folders, isPageLoading, isOutdated }: GalleryProps) {
  const { selection, viewOptions } = useFilesPage()
  const { search } = useFilesAddress()
  const gallery = useRef<HTMLDivElement>(null)
  const bandElement = useRef<HTMLDivElement>(null)
  const hasSelection = useSelection(selection, current => current.hasSelection())
  const layout = useLayout(gallery, files)
  useMouseAndTouch(gallery)
  useRubberBandSelection(gallery, bandElement, files, layout)
  useGalleryKeys(gallery, layout, search.gross === '' && !isOutdated)
  useFocusAfterRemoval(gallery, files, selection)
  const FilesView = viewOptions.view === 'list' ? FileList : FileCards
  return (
    <div
      ref={gallery}
      className={classes.gallery}
      inert={isOutdated}
      data-files={files.length > 0 || undefined}
      data-choosing={hasSelection || undefined}
    >
      <FolderCards key={folderOf(folders[0]?.pfad ?? '')} folders={folders} />
      {files.length > 0 && <FilesView files={files} layout={layout} isPageLoading={isPageLoading} />}
      <div ref={bandElement} className={classes.band} hidden />
    </div>
  )
}

function useMouseAndTouch(gallery: RefObject<HTMLElement | null>): void {
  const { listing, selection, commands, openMenu } = useFilesPage()
  const { search } = useFilesAddress()
  const { w, format } = useTexts(actionWords)
  /** The whole selection if it contains this file, else only the file. */
  const targetOf = (file: FileAnswer): FileTarget =>
    selection.isSelected(file.id) ? selection.getSelected() : [file]
  const withFile = (id: string, run: (file: FileAnswer) => void) => {
    const file = listing.files.find(listedFile => listedFile.id === id)
    if (file) run(file)
  }
  const openDetails = (id: string) => withFile(id, commands.showDetails)

  useCardEvents(gallery, {
    onPress(id, { shift, mod }) {
      if (!hasMinimumRole('redaktion')) return openDetails(id)
      if (shift) selection.selectRangeTo(id, mod)
      else if (mod) selection.toggle(id)
      else selection.selectOnly(id)
      // While the details are open, a click without modifier keys also shows the clicked file there.
      if (search.datei !== '' && !shift && !mod) openDetails(id)
    },
    onTap: id => (selection.hasSelection() ? selection.toggle(id) : withFile(id, commands.showPreview)),
    onOpen: openDetails,
    onCheck: (id, { shift }) =>
      hasMinimumRole('redaktion') && (shift ? selection.selectRangeTo(id, true) : selection.toggle(id)),
    onMenu: (id, position) =>
      withFile(id, file =>
        openMenu({ target: targetOf(file), ...position, returnFocusTo: document.activeElement }),
      ),
    onDrag: (id, transfer) =>
      withFile(id, file => {
        const target = targetOf(file)
        const count = fileCountOf(target)
        startDrag(transfer, target, count === 1 ? nameOf(file.path) : w.dragged(count, format.number(count)))
      }),
    onFocus: selection.setCursor,
  })
}

function useRubberBandSelection(
  gallery: RefObject<HTMLElement | null>,
  bandElement: RefObject<HTMLElement | null>,
  files: readonly FileAnswer[],
  layout: Layout,
): void {
  const { selection } = useFilesPage()
  const selectionBefore = useRef(selection.state().selectedItems)
  const maySelect = hasMinimumRole('redaktion')
  useRubberBand(gallery, bandElement, {
    getCards: () => files.map(({ id }, index) => ({ id, box: layout.boxes[index] })),
    onClear: selection.clear,
    onBegin() {
      selectionBefore.current = selection.state().selectedItems
    },
    onBandChange: (ids, keepsSelection) =>
      maySelect && selection.selectBand(new Set(ids), keepsSelection ? selectionBefore.current : []),
  })
}

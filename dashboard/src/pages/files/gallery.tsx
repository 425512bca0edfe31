/** The folders and files of the page, with mouse, touch and keyboard. */
import { useRef } from 'react'
import { useTexts } from '../../language/language.tsx'
import { folderOf, nameOf } from '../../parts/paths.ts'
import type { OpenMenu } from './actions/context-menu.tsx'
import { type Dragged, startDrag } from './actions/drag.ts'
import { FileGrid, type FilesProps } from './cards/card.tsx'
import classes from './cards/cards.module.css'
import { FileList } from './cards/file-list.tsx'
import { FolderCards } from './cards/folder-cards.tsx'
import { useCardEvents } from './cards/use-card-events.ts'
import type { FilesSearch, SetFilesSearch } from './search.ts'
import { countOf, type Meant } from './selection/meant.ts'
import { banded, NOTHING, only, rangeTo, type Selection, toggle } from './selection/selection.ts'
import { useRubberBand } from './selection/use-rubber-band.ts'
import type { SelectionState } from './selection/use-selection.ts'
import type { View } from './toolbar.tsx'
import type { FileAnswer, Folder } from './types.ts'
import { useCopy } from './use-copy.ts'
import { type GalleryKeys, useGalleryKeys } from './use-gallery-keys.ts'
import { actionWords } from './words.ts'

/** Milliseconds for which a tick shows that the address was copied. */
const TICKED = 1500

export interface GalleryProps extends Omit<GalleryKeys, 'gallery' | 'state' | 'files' | 'enabled'> {
  files: readonly FileAnswer[]
  folders: readonly Folder[]
  turning: boolean
  /** These are files of another place, and can only be looked at. */
  leaving: boolean
  search: FilesSearch
  onSearch: SetFilesSearch
  view: View
  state: SelectionState
  fileHref(file: FileAnswer): string
  folderHref(folder: string): string
  onMenu(menu: OpenMenu): void
  onDrop(what: Dragged, folder: string): void
}

export function Gallery(props: GalleryProps) {
  const { files, folders, turning, search, onSearch, view, state, folderHref, onMenu, onDrop } = props
  const gallery = useRef<HTMLDivElement>(null)
  const band = useRef<HTMLDivElement>(null)
  useHands(gallery, props)
  useBand(gallery, band, props)
  useGalleryKeys({ ...props, gallery, enabled: search.gross === '' && !props.leaving })

  const shown: FilesProps = {
    files,
    hrefOf: props.fileHref,
    isSelected: state.isSelected,
    tabbable: files.some(({ id }) => id === state.cursor) ? state.cursor : (files[0]?.id ?? null),
    opened: search.datei,
    showFolder: search.suche !== '' || search.unterordner,
    turning,
  }
  return (
    <div
      ref={gallery}
      className={classes.gallery}
      inert={props.leaving}
      data-files={files.length > 0 || undefined}
      data-choosing={state.isChoosing || undefined}
    >
      <FolderCards
        key={folderOf(folders[0]?.pfad ?? '')}
        folders={folders}
        hrefOf={folderHref}
        onMenu={(folder, at) => onMenu({ folder, ...at, from: focused() })}
        onDrop={onDrop}
      />
      {files.length > 0 && view === 'grid' && <FileGrid {...shown} />}
      {files.length > 0 && view === 'list' && (
        <FileList
          {...shown}
          order={search.sortierung}
          direction={search.richtung}
          onSort={(sortierung, richtung) => onSearch({ sortierung, richtung, seite: 1 })}
        />
      )}
      <div ref={band} className={classes.band} hidden />
    </div>
  )
}

const focused = () => (document.activeElement instanceof HTMLElement ? document.activeElement : null)

function useHands(gallery: React.RefObject<HTMLElement | null>, props: GalleryProps): void {
  const { files, state, search, onOpen, onMenu } = props
  const { w, format } = useTexts(actionWords)
  const copy = useCopy()
  const byId = (id: string) => files.find(file => file.id === id)
  /** The whole selection when this file belongs to it, else the file alone. */
  const meantBy = (file: FileAnswer): Meant => (state.isSelected(file.id) ? state.meant : [file])
  const withFile = (id: string, run: (file: FileAnswer) => void) => {
    const file = byId(id)
    if (file) run(file)
  }
  const choose = (id: string, edit: (now: Selection, file: FileAnswer) => Selection) =>
    withFile(id, file => state.change(now => edit(now, file)))

  useCardEvents(gallery, {
    onPress(id, { shift, mod }) {
      if (shift) choose(id, now => rangeTo(now, files, id, mod))
      else if (mod) choose(id, toggle)
      else choose(id, (_now, file) => only(file))
      // With the drawer open a click shows the next file in it.
      if (search.datei !== '' && !shift && !mod) withFile(id, onOpen)
    },
    onTap(id) {
      if (state.isChoosing) choose(id, toggle)
      else withFile(id, onOpen)
    },
    onOpen: id => withFile(id, onOpen),
    onCheck: (id, { shift }) => choose(id, shift ? now => rangeTo(now, files, id, true) : toggle),
    onCopy: (id, button) =>
      withFile(id, async file => {
        if (!(await copy([file], 'text', { quiet: true }))) return
        button.dataset.done = ''
        button.setAttribute('aria-label', w.copied(1, '1'))
        setTimeout(() => {
          delete button.dataset.done
          button.setAttribute('aria-label', w.copyAddress)
        }, TICKED)
      }),
    onMenu: (id, at) => withFile(id, file => onMenu({ meant: meantBy(file), ...at, from: focused() })),
    onDrag: (id, transfer) =>
      withFile(id, file => {
        const dragged = meantBy(file)
        const count = countOf(dragged)
        startDrag(
          transfer,
          { meant: dragged },
          count === 1 ? nameOf(file.path) : w.dragged(count, format.number(count)),
        )
      }),
    onFocus: id => state.setCursor(id),
  })
}

function useBand(
  gallery: React.RefObject<HTMLElement | null>,
  band: React.RefObject<HTMLElement | null>,
  { files, state }: GalleryProps,
): void {
  const before = useRef<Selection>(NOTHING)
  useRubberBand(gallery, band, {
    onClear: state.clear,
    onBegin() {
      before.current = state.selection
    },
    onBand(ids, keep) {
      const touched = new Set(ids)
      state.change(() =>
        banded(
          before.current,
          files.filter(({ id }) => touched.has(id)),
          keep,
        ),
      )
    },
  })
}

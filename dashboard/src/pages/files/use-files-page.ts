/** State and actions of the files page: the address, the listing, the selection, and open dialogs and menus. */
import { useLayoutEffect, useRef, useState } from 'react'
import { readSearch, useSearchState, writeSearch } from '../../hooks/use-search-state.ts'
import { useNotify } from '../../parts/notify.tsx'
import { folderOf, isWithin } from '../../parts/paths.ts'
import { chooseFiles } from '../../uploads/uploads.ts'
import type { FileMenuActions, FolderMenuActions, OpenMenu } from './actions/context-menu.tsx'
import type { OpenDialog } from './actions/dialogs.tsx'
import type { Dragged } from './actions/drag.ts'
import { type ActionEvents, type Actions, useActions } from './actions/use-actions.ts'
import { useOpened } from './drawer/use-opened.ts'
import { useLightTable } from './light/use-light-table.ts'
import { type FilesSearch, placeOf, resultQuery, SEARCH, type SetFilesSearch } from './search.ts'
import { useSelection } from './selection/use-selection.ts'
import type { FileAnswer } from './types.ts'
import { useCopy } from './use-copy.ts'
import { focusCard } from './use-gallery-keys.ts'
import { useListing } from './use-listing.ts'

const PAGE = '/dateien'

const addressWith = (search: FilesSearch) => {
  const text = writeSearch(SEARCH, search, '')
  return text === '' ? PAGE : `${PAGE}?${text}`
}

/** Two hundred addresses are made at once, so the common start is made only once. */
function fileHref(search: FilesSearch): (file: FileAnswer) => string {
  const start = addressWith({ ...search, datei: '', gross: '' })
  const joined = start.includes('?') ? '&' : '?'
  // Paths are of characters that an address may hold as they are.
  return ({ path }) => `${start}${joined}datei=${path}`
}

/** A folder is entered at its first page, and leaves a search. Sort and filters stay. */
const insideOf = (ordner: string) => ({ ordner, suche: '', von: '', seite: 1, datei: '', gross: '' })

export type FilesPageState = ReturnType<typeof useFilesPage>

export function useFilesPage() {
  const [search, setSearch] = useSearchState(SEARCH)
  const listing = useListing(search)
  useTopOf(placeOf(search))
  const result = { query: resultQuery(search), total: listing.data?.gesamt ?? 0 }
  const state = useSelection({ files: listing.files, place: placeOf(search), result })
  const opened = useOpened(search.datei, listing.files)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const copy = useCopy()
  const actions = useActions(useFollow(setSearch, state.forget, listing.takeOrder))
  const table = useLightTable({
    search,
    setSearch,
    listing,
    state,
    onRemove: file => void actions.remove([file]),
  })

  const enter = (folder: string) => setSearch(insideOf(folder))
  const show = (file: FileAnswer) => {
    state.setCursor(file.id)
    // Leafing through files counts as one step of the back button.
    setSearch({ datei: file.path }, { replace: search.datei !== '' })
  }
  const close = () => {
    setSearch({ datei: '' }, { replace: true })
    if (state.cursor) focusCard(document.body, state.cursor, { preventScroll: true })
  }

  const fileActions: FileMenuActions = {
    onDetails: show,
    onPreview: table.show,
    onCopy: (files, form) => void copy(files, form),
    onRename: file => setDialog({ kind: 'rename', file }),
    onMove: meant => setDialog({ kind: 'move', meant }),
    onReplace: meant => setDialog({ kind: 'replace', folder: search.ordner, meant }),
    onRemove: meant => void actions.remove(meant),
  }
  const folderActions = folderActionsOf({ enter, setDialog, actions })
  return {
    search,
    setSearch,
    listing,
    state,
    opened,
    actions,
    fileActions,
    folderActions,
    dialog: { open: dialog, onClose: () => setDialog(null) },
    menu: { open: menu, show: setMenu, onClose: () => setMenu(null) },
    table,
    enter,
    show,
    close,
    drop: useDrop(actions),
    folderHref: (folder: string) => addressWith({ ...search, ...insideOf(folder) }),
    fileHref: fileHref(search),
  }
}

/** Another place is read from its top. */
function useTopOf(place: string): void {
  const last = useRef(place)
  useLayoutEffect(() => {
    if (last.current !== place) scrollTo({ top: 0 })
    last.current = place
  }, [place])
}

interface FolderActionParts {
  enter(folder: string): void
  setDialog(open: OpenDialog): void
  actions: Actions
}

function folderActionsOf({ enter, setDialog, actions }: FolderActionParts): FolderMenuActions {
  return {
    onEnter: enter,
    onUploadTo: folder => void chooseFiles(folder),
    onNewFolder: folder => setDialog({ kind: 'newFolder', folder, onMade: enter }),
    onShare: folder => setDialog({ kind: 'share', folder }),
    onRenameFolder: folder => setDialog({ kind: 'renameFolder', folder }),
    onMoveFolder: folder => setDialog({ kind: 'moveFolder', folder }),
    onReplaceIn: folder => setDialog({ kind: 'replace', folder }),
    onRemoveFolder: folder => void actions.removeFolder(folder),
  }
}

/** Moves dragged files or a dragged folder, and shows refusals as notices. */
function useDrop(actions: Actions): (what: Dragged, folder: string) => void {
  const notify = useNotify()
  const move = async (what: Dragged, folder: string) => {
    try {
      if ('folder' in what) return await actions.moveFolder(what.folder, folder)
      notify.refusedAll(await actions.move(what.meant, folder))
    } catch (error) {
      notify.failed(error as Error)
    }
  }
  return (what, folder) => void move(what, folder)
}

/** The address follows renamed and moved files. It is read anew, since it may have changed since the action began. */
function useFollow(
  setSearch: SetFilesSearch,
  forget: (paths: readonly string[]) => void,
  takeOrder: () => void,
): ActionEvents {
  const now = () => (location.pathname === PAGE ? readSearch(SEARCH, location.search) : null)
  return {
    onChange: takeOrder,
    onPaths(changes) {
      forget(
        [...changes]
          .filter(([from, to]) => to === null || folderOf(from) !== folderOf(to))
          .map(([from]) => from),
      )
      const search = now()
      if (!search) return
      const follow = (path: string) => changes.get(path) ?? (changes.has(path) ? '' : path)
      const [datei, gross] = [follow(search.datei), follow(search.gross)]
      if (datei !== search.datei || gross !== search.gross) setSearch({ datei, gross }, { replace: true })
    },
    onFolder(folder, to) {
      const search = now()
      if (!search || !isWithin(search.ordner, folder)) return
      const ordner = to === null ? folderOf(folder) : to + search.ordner.slice(folder.length)
      setSearch({ ordner, datei: '', gross: '', seite: 1 }, { replace: true })
    },
  }
}

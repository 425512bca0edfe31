/** The keys of the gallery. They act on the selection, and without one on the file or folder that has the focus. */
import { type RefObject, useEffect, useRef } from 'react'
import { useShortcuts } from '../../hooks/use-shortcuts.ts'
import { useWords } from '../../language/language.tsx'
import { countOf, filesOf, isWhole, type Meant } from './selection/meant.ts'
import { NOTHING, rangeTo, toggle, toggleAll, withAll } from './selection/selection.ts'
import { ARROWS, type Arrow, columnsOf, stepFrom } from './selection/steps.ts'
import type { SelectionState } from './selection/use-selection.ts'
import type { FileAnswer } from './types.ts'
import { actionWords } from './words.ts'

export interface GalleryKeys {
  gallery: RefObject<HTMLElement | null>
  files: readonly FileAnswer[]
  state: SelectionState
  /** False while the light table lies over the gallery, which has keys of its own. */
  enabled: boolean
  onOpen(file: FileAnswer): void
  onPreview(file: FileAnswer): void
  onCopy(files: readonly FileAnswer[]): void
  onRename(file: FileAnswer): void
  onMove(meant: Meant): void
  onRemove(meant: Meant): void
  /** A key on a folder that has the focus. */
  onFolderKey(keys: string, folder: string): void
  /** Escape without a selection: closes the drawer. */
  onEscape(): void
}

/** Moving and selecting may begin in the rail; what changes files may not. */
const FRAME = 'frame' as const

export function useGalleryKeys(keys: GalleryKeys): void {
  const { gallery, files, state } = keys
  const w = useWords(actionWords)
  const at = files.findIndex(({ id }) => id === state.cursor)
  const focused = () => files.find(({ id }) => id === focusedIn(gallery.current))
  const meantNow = (): Meant => {
    const file = focused()
    return state.isChoosing ? state.meant : file ? [file] : []
  }
  const withMeant = (run: (meant: Meant) => void) => () => {
    const meant = meantNow()
    if (countOf(meant) > 0) run(meant)
  }
  const withSingle = (run: (file: FileAnswer) => void) => () => {
    const meant = meantNow()
    const [single = focused()] = countOf(meant) === 1 ? filesOf(meant) : []
    if (single) run(single)
  }
  /** Without a selection the same keys change the folder that has the focus. */
  const orFolder = (key: string, run: () => void) => () => {
    const folder = state.isChoosing ? undefined : focusedFolder(gallery.current)
    if (folder === undefined) run()
    else keys.onFolderKey(key, folder)
  }

  const go = (key: Arrow, extend: boolean) => {
    const cards = [...(gallery.current?.querySelectorAll('[data-file]') ?? [])]
    const file = files[stepFrom(at, key, files.length, columnsOf(cards))]
    if (!file) return
    if (extend) {
      // The first step also selects the file that had the focus.
      const start = state.selection.anchor ?? files[at]?.id ?? file.id
      state.change(now => rangeTo({ ...now, anchor: start }, files, file.id))
    }
    state.setCursor(file.id)
    focusCard(gallery.current, file.id)
  }
  /** The page, and once more the whole result. */
  const chooseAll = () => {
    if (state.mayChooseWhole) state.chooseWhole()
    else if (!isWhole(state.meant)) state.change(now => withAll(now, files))
  }
  const shortcuts = [
    ...ARROWS.map(key => ({ keys: key, label: w.keyMove, reach: FRAME, run: () => go(key, false) })),
    ...ARROWS.map(key => ({
      keys: `shift+${key}`,
      label: w.keyExtend,
      reach: FRAME,
      run: () => go(key, true),
    })),
    { keys: ' ', label: w.keyPreview, run: withSingle(keys.onPreview) },
    { keys: 'Enter', label: w.keyOpen, run: withSingle(keys.onOpen) },
    {
      keys: 'x',
      label: w.keySelect,
      run: () => {
        const file = focused()
        if (file) state.change(now => toggle(now, file))
      },
    },
    { keys: 'a', label: w.keyAll, reach: FRAME, run: () => state.change(now => toggleAll(now, files)) },
    { keys: 'mod+a', label: w.keyAll, reach: FRAME, run: chooseAll },
    { keys: 'c', label: w.copyAddress, run: withMeant(meant => keys.onCopy(filesOf(meant))) },
    { keys: 'r', label: w.rename, run: orFolder('r', withSingle(keys.onRename)) },
    { keys: 'm', label: w.move, run: orFolder('m', withMeant(keys.onMove)) },
    { keys: 'Delete', label: w.remove, run: orFolder('Delete', withMeant(keys.onRemove)) },
    {
      keys: 'Escape',
      label: w.keyClear,
      reach: FRAME,
      run: () => (state.isChoosing ? state.change(() => NOTHING) : keys.onEscape()),
    },
  ]
  useShortcuts(shortcuts, keys.enabled)
  useKeepFocus(gallery, files, state)
}

export function focusCard(gallery: HTMLElement | null, id: string, options?: FocusOptions): void {
  gallery?.querySelector<HTMLElement>(`[data-file="${CSS.escape(id)}"] a`)?.focus(options)
}

/** The file whose card has the focus: on another page the card is the same, and shows another file. */
const focusedIn = (gallery: HTMLElement | null) =>
  gallery?.querySelector<HTMLElement>('[data-file]:focus-within')?.dataset.file

const focusedFolder = (gallery: HTMLElement | null) =>
  gallery?.querySelector<HTMLElement>('[data-drop-folder]:focus-within')?.dataset.dropFolder

/** When the focused card disappears, its successor gets the focus, so that deleting can go on by keyboard. */
function useKeepFocus(
  gallery: RefObject<HTMLElement | null>,
  files: readonly FileAnswer[],
  { cursor, setCursor }: SelectionState,
): void {
  const last = useRef({ files, cursor })
  useEffect(() => {
    const before = last.current
    last.current = { files, cursor }
    if (before.cursor === null || files.some(({ id }) => id === before.cursor)) return
    const was = before.files.findIndex(({ id }) => id === before.cursor)
    if (was < 0) return
    const now = new Set(files.map(({ id }) => id))
    const stays = ({ id }: FileAnswer) => now.has(id)
    const beside = before.files.slice(was).find(stays) ?? before.files.slice(0, was).findLast(stays)
    const heir = beside ?? files.find(({ id }) => id === focusedIn(gallery.current)) ?? files[0]
    setCursor(heir?.id ?? null)
    if (beside && (document.activeElement === document.body || document.activeElement === null)) {
      focusCard(gallery.current, beside.id)
    }
  }, [files, cursor, gallery, setCursor])
}

/** The shortcuts of the gallery, and its focus. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { hasMinimumRole } from '../../state/rights.ts'
import { type Shortcut, useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { useShortcutLabel } from '../commands/command-menu.tsx'
import { appliesTo, type Command, commandsWithShortcut } from '../commands/commands.tsx'
import { useFilesPage } from '../files-context.ts'
import { focusCard, focusedFileId, focusedFolder } from '../focus.ts'
import { type FileSelection, isWholeResult, singleFileOf, type Target } from '../target.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import { type Layout, ORIGIN_SELECTOR } from './layout/layout.ts'
import { ARROW_KEYS, type ArrowKey, createStepper } from './layout/steps.ts'

/**
 * Registers the shortcuts of the gallery. Those that move among the files, select several files or clear the
 * selection also work while the focus is in the navigation or the top bar; `x` and the shortcuts of commands
 * do not. `isEnabled` is false while the viewer covers the gallery, and while the files of the gallery are
 * outdated.
 */
export function useGalleryKeys(
  gallery: RefObject<HTMLElement | null>,
  layout: Layout,
  isEnabled: boolean,
): void {
  const { selection, openedFile } = useFilesPage()
  const w = useWords(actionWords)
  const commandShortcuts = useCommandShortcuts(gallery)
  const [findNextIndex] = useState(createStepper)
  const moveFocus = (key: ArrowKey, extendsSelection: boolean) => {
    const { shownItems, cursor, anchor } = selection.state()
    const cursorIndex = shownItems.findIndex(({ id }) => id === cursor)
    const nextIndex = findNextIndex(cursorIndex, key, layout.boxes)
    const file = shownItems[nextIndex]
    if (!file) return
    // The first step also selects the file from which it starts.
    if (extendsSelection)
      selection.selectRangeTo(file.id, false, anchor ?? shownItems[cursorIndex]?.id ?? file.id)
    selection.setCursor(file.id)
    scrollToAndFocus(gallery.current, file.id, layout.boxes[nextIndex]?.top ?? 0)
  }
  const selectionShortcuts: readonly Shortcut[] = [
    ...ARROW_KEYS.map(
      (key): Shortcut => ({
        keys: `shift+${key}`,
        label: w.keyExtend,
        focusScope: 'frame',
        run: () => moveFocus(key, true),
      }),
    ),
    {
      keys: 'x',
      label: w.keySelect,
      run: () => {
        const id = focusedFileId(gallery.current)
        if (id !== undefined) selection.toggle(id)
      },
    },
    { keys: 'a', label: w.keyAll, focusScope: 'frame', run: selection.togglePage },
    {
      keys: 'mod+a',
      label: w.keyAll,
      focusScope: 'frame',
      /**
       * Selects the shown page or, if it is already selected, the whole list on all pages. Does nothing if
       * the whole list is already selected.
       */
      run() {
        if (selection.maySelectWholeList()) selection.selectWholeList()
        else if (!isWholeResult(selection.getSelected())) selection.setPageSelected(true)
      },
    },
  ]
  const shortcuts: readonly Shortcut[] = [
    ...ARROW_KEYS.map(
      (key): Shortcut => ({
        keys: key,
        label: w.keyMove,
        focusScope: 'frame',
        run: () => moveFocus(key, false),
      }),
    ),
    ...(hasMinimumRole('redaktion') ? selectionShortcuts : []),
    ...commandShortcuts,
    {
      keys: 'Escape',
      label: w.keyClear,
      focusScope: 'frame',
      run: () => (selection.hasSelection() ? selection.clear() : openedFile.close()),
    },
  ]
  useShortcuts(shortcuts, isEnabled)
}

/**
 * The shortcuts of commands. They act on the selection; if it is empty, on the focused file or folder. A
 * command for a single file acts on the focused file if several files are selected.
 */
function useCommandShortcuts(gallery: RefObject<HTMLElement | null>) {
  const { selection, commands } = useFilesPage()
  const shortcutLabelOf = useShortcutLabel()
  const targetOf = ({ files }: Command): Target | undefined => {
    const id = focusedFileId(gallery.current)
    const focusedFiles = selection.state().shownItems.filter(file => file.id === id)
    if (!selection.hasSelection())
      return focusedFiles.length > 0 ? focusedFiles : focusedFolder(gallery.current)
    const selectedTarget = selection.getSelected()
    return files === 'one' && !singleFileOf(selectedTarget) ? focusedFiles : selectedTarget
  }
  return commandsWithShortcut().map(command => ({
    keys: command.keys,
    label: shortcutLabelOf(command),
    run() {
      const target = targetOf(command)
      if (target !== undefined && appliesTo(command, target)) command.run?.(target, commands)
    },
  }))
}

/** Focuses a file. If it is too far away to be rendered, the page is scrolled to it first. */
function scrollToAndFocus(gallery: HTMLElement | null, id: string, top: number): void {
  if (gallery?.querySelector(`[data-file="${CSS.escape(id)}"]`)) {
    focusCard(gallery, id)
    return
  }
  const originTop = gallery?.querySelector(ORIGIN_SELECTOR)?.getBoundingClientRect().top ?? 0
  scrollTo({ top: scrollY + originTop + top - innerHeight / 2, behavior: 'instant' })
  requestAnimationFrame(() => requestAnimationFrame(() => focusCard(gallery, id)))
}

/**
 * When the focused file disappears from the list, focuses the next one, or the previous one if there is no
 * next one, so that files can be deleted one after the other by keyboard. The focus does not move if another
 * element has it.
 */
export function useFocusAfterRemoval(
  gallery: RefObject<HTMLElement | null>,
  files: readonly FileAnswer[],
  { state, setCursor }: FileSelection,
): void {
  const lastFiles = useRef(files)
  useEffect(() => {
    const previousFiles = lastFiles.current
    lastFiles.current = files
    const { cursor } = state()
    const formerIndex = previousFiles.findIndex(({ id }) => id === cursor)
    if (formerIndex < 0 || files.some(({ id }) => id === cursor)) return
    const listedIds = new Set(files.map(({ id }) => id))
    const isStillListed = ({ id }: FileAnswer) => listedIds.has(id)
    const neighbour =
      previousFiles.slice(formerIndex).find(isStillListed) ??
      previousFiles.slice(0, formerIndex).findLast(isStillListed)
    const newCursorFile =
      neighbour ?? files.find(({ id }) => id === focusedFileId(gallery.current)) ?? files[0]
    setCursor(newCursorFile?.id ?? null)
    if (neighbour && (document.activeElement === document.body || document.activeElement === null)) {
      focusCard(gallery.current, neighbour.id)
    }
  }, [files, gallery, state, setCursor])
}

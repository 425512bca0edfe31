/**
 * The keys of the viewer: previous and next file, close, select and details; the shortcuts of commands on one
 * file; and the keys of the shown picture or player.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { useWords } from '../../language/language.tsx'
import { isIgnoredRepeat, pressedKeysOf } from '../../state/pressed-keys.ts'
import { hasMinimumRole } from '../../state/rights.ts'
import { runShortcut, type Shortcut, useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { useShortcutLabel } from '../commands/command-menu.tsx'
import { appliesTo, COMMANDS, commandsWithShortcut } from '../commands/commands.tsx'
import { useFilesPage } from '../files-context.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import type { ContentKeyHandler } from './content-props.ts'
import { words } from './words.ts'

/** Shortcuts of the page behind the viewer that work in the viewer too. */
const PAGE_SHORTCUTS = ['?', 'mod+z']
/** Keys that a player handles itself if it was focused by Tab. */
const PLAYER_KEYS = /^(?: |Enter|Home|End|Arrow\w+)$/
const BUTTON_KEYS = /^(?: |Enter)$/

/**
 * Listens in the capture phase, before the page behind the viewer does. Otherwise, while nothing has the
 * focus, the shortcuts of the page would act on cards that the viewer covers.
 */
export function useViewerKeys(
  root: RefObject<HTMLElement | null>,
  contentKeys: RefObject<ContentKeyHandler | null>,
  toggleInfo: () => void,
): void {
  const shortcuts = useViewerShortcuts(contentKeys, toggleInfo)
  // This only lists the shortcuts in the dialog that `?` opens. It does not make them work, because the
  // shortcut listener of the page ignores key presses in a dialog; `handleKey` below makes them work.
  useShortcuts(shortcuts)
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as Element
    const hasNoFocus = target === document.body
    if (!hasNoFocus && !root.current?.contains(target)) return
    // An open menu has its own keys.
    if (root.current?.querySelector('[role="menu"]')) return
    if (hasNoFocus) event.stopPropagation()
    const keys = pressedKeysOf(event)
    if (PAGE_SHORTCUTS.includes(keys)) return runShortcut(event)
    if (PLAYER_KEYS.test(keys) && target.closest('video, audio')) return
    if (BUTTON_KEYS.test(keys) && target.closest('button, a')) return
    const shortcut = shortcuts.find(candidate => candidate.keys === keys)
    if (shortcut && isIgnoredRepeat(event)) return event.preventDefault()
    const isHandledByContent = contentKeys.current?.handleKey(keys) ?? false
    if (!isHandledByContent && !shortcut) return
    event.preventDefault()
    if (!isHandledByContent) shortcut?.run(event)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event)
    addEventListener('keydown', listener, { capture: true })
    return () => removeEventListener('keydown', listener, { capture: true })
  }, [])
}

function useViewerShortcuts(
  contentKeys: RefObject<ContentKeyHandler | null>,
  toggleInfo: () => void,
): Shortcut[] {
  const w = useWords(words)
  const { keySelect } = useWords(actionWords)
  const { viewer, selection } = useFilesPage()
  const commandShortcuts = useCommandShortcuts()
  const contentShortcuts = useContentShortcuts(contentKeys)
  const { file } = viewer.openedFile
  return [
    { keys: 'ArrowLeft', label: w.previous, run: () => viewer.step(-1) },
    { keys: 'ArrowRight', label: w.next, run: () => viewer.step(1) },
    ...contentShortcuts,
    { keys: 'i', label: w.facts, run: toggleInfo },
    ...commandShortcuts,
    ...(file && hasMinimumRole('redaktion')
      ? [{ keys: 'x', label: keySelect, run: () => selection.toggle(file.id) }]
      : []),
    ...(file && isPlayable(file) ? [] : [{ keys: ' ', label: w.close, run: viewer.close }]),
    { keys: 'Escape', label: w.close, run: viewer.close },
  ]
}

/**
 * The shortcuts of the commands that have a key and apply to the shown file, except the one that opens the
 * viewer.
 */
function useCommandShortcuts(): Shortcut[] {
  const { viewer, commands } = useFilesPage()
  const shortcutLabelOf = useShortcutLabel()
  const { file } = viewer.openedFile
  if (!file) return []
  return commandsWithShortcut()
    .filter(command => command.keys !== COMMANDS.preview.keys && appliesTo(command, [file]))
    .map(command => ({
      keys: command.keys,
      label: shortcutLabelOf(command),
      run: () => command.run?.([file], commands),
    }))
}

const isPlayable = ({ art }: FileAnswer) => art === 'video' || art === 'audio'

/** The keys of the shown picture or player. */
function useContentShortcuts(contentKeys: RefObject<ContentKeyHandler | null>): Shortcut[] {
  const w = useWords(words)
  const { file } = useFilesPage().viewer.openedFile
  const keyLabels: readonly (readonly [keys: string, label: string])[] =
    file?.art === 'bilder'
      ? [
          ['+', w.larger],
          ['-', w.smaller],
          ['0', w.fit],
          ['1', w.original],
          ['shift+r', w.turn],
          ['shift+ArrowLeft', w.pan],
          ['shift+ArrowRight', w.pan],
          ['shift+ArrowUp', w.pan],
          ['shift+ArrowDown', w.pan],
        ]
      : file && isPlayable(file)
        ? [
            [' ', w.playOrPause],
            ['shift+ArrowLeft', w.jumpBack],
            ['shift+ArrowRight', w.jumpAhead],
          ]
        : []
  return keyLabels.map(([keys, label]) => ({ keys, label, run: () => contentKeys.current?.handleKey(keys) }))
}

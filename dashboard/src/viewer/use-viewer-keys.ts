/**
 * The keys of the viewer: those of the gallery that apply to one file, and those of the shown picture or
 * player.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { useKeyLabel } from '../files/commands/command-menu.tsx'
import { applies, COMMANDS, keyCommands } from '../files/commands/commands.tsx'
import { useFilesPage } from '../files/files-context.ts'
import type { FileAnswer } from '../files/types.ts'
import { actionWords } from '../files/words.ts'
import { useWords } from '../language/language.tsx'
import { may } from '../state/rights.ts'
import { isIgnoredRepeat, keysOf } from '../ui/keys/keys.ts'
import { runShortcut, type Shortcut, useShortcuts } from '../ui/keys/use-shortcuts.ts'
import type { ContentKeys } from './content.tsx'
import { words } from './words.ts'

/** Shortcuts that work as on the page below the viewer. */
const PAGE_SHORTCUTS = ['?', 'mod+z']
/** Keys that a player handles itself if it was focused by Tab. */
const PLAYER_KEYS = /^(?: |Enter|Home|End|Arrow\w+)$/
const BUTTON_KEYS = /^(?: |Enter)$/

/**
 * Listens in the capture phase, before the page below: while nothing has the focus, shortcuts of the page
 * would otherwise act on cards that are covered by the viewer.
 */
export function useViewerKeys(
  root: RefObject<HTMLElement | null>,
  content: RefObject<ContentKeys | null>,
  toggleFacts: () => void,
): void {
  const shortcuts = useViewerShortcuts(content, toggleFacts)
  // Registers the keys for the list that `?` opens. They do not work through this: a dialog keeps key presses
  // from the page.
  useShortcuts(shortcuts)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as Element
    const isNowhere = target === document.body
    if (!isNowhere && !root.current?.contains(target)) return
    // An open menu has its own keys.
    if (root.current?.querySelector('[role="menu"]')) return
    if (isNowhere) event.stopPropagation()
    const keys = keysOf(event)
    if (PAGE_SHORTCUTS.includes(keys)) return runShortcut(event)
    if (PLAYER_KEYS.test(keys) && target.closest('video, audio')) return
    if (BUTTON_KEYS.test(keys) && target.closest('button, a')) return
    const action = shortcuts.find(each => each.keys === keys)
    if (action && isIgnoredRepeat(event)) return event.preventDefault()
    const isTaken = content.current?.press(keys) ?? false
    if (!isTaken && !action) return
    event.preventDefault()
    if (!isTaken) action?.run(event)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen, { capture: true })
    return () => removeEventListener('keydown', listen, { capture: true })
  }, [])
}

function useViewerShortcuts(content: RefObject<ContentKeys | null>, toggleFacts: () => void): Shortcut[] {
  const w = useWords(words)
  const { keySelect } = useWords(actionWords)
  const { viewer, selection } = useFilesPage()
  const commands = useCommandShortcuts()
  const contentKeys = useContentShortcuts(content)
  const { file } = viewer.opened
  return [
    { keys: 'ArrowLeft', label: w.previous, run: () => viewer.step(-1) },
    { keys: 'ArrowRight', label: w.next, run: () => viewer.step(1) },
    ...contentKeys,
    { keys: 'i', label: w.facts, run: toggleFacts },
    ...commands,
    ...(file && may('redaktion')
      ? [{ keys: 'x', label: keySelect, run: () => selection.toggle(file.id) }]
      : []),
    ...(file && isPlayed(file) ? [] : [{ keys: ' ', label: w.close, run: viewer.close }]),
    { keys: 'Escape', label: w.close, run: viewer.close },
  ]
}

/** Every command on one file that has a key, except the one that opens the viewer. */
function useCommandShortcuts(): Shortcut[] {
  const { viewer, commands } = useFilesPage()
  const keyLabel = useKeyLabel()
  const { file } = viewer.opened
  if (!file) return []
  return keyCommands()
    .filter(command => command.keys !== COMMANDS.preview.keys && applies(command, [file]))
    .map(command => ({
      keys: command.keys,
      label: keyLabel(command),
      run: () => command.run?.([file], commands),
    }))
}

const isPlayed = ({ art }: FileAnswer) => art === 'video' || art === 'audio'

/** The keys of the shown picture or player. */
function useContentShortcuts(content: RefObject<ContentKeys | null>): Shortcut[] {
  const w = useWords(words)
  const { file } = useFilesPage().viewer.opened
  const list: readonly (readonly [keys: string, label: string])[] =
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
      : file && isPlayed(file)
        ? [
            [' ', w.playOrPause],
            ['shift+ArrowLeft', w.jumpBack],
            ['shift+ArrowRight', w.jumpAhead],
          ]
        : []
  return list.map(([keys, label]) => ({ keys, label, run: () => content.current?.press(keys) }))
}

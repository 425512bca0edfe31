/**
 * Keyboard shortcuts. Each component registers its own shortcuts while it is shown; `?` opens a list of those
 * that are registered. No shortcut works while the focus is in a menu, in a field other than a checkbox, or
 * in a dialog, unless the dialog itself calls `runShortcut`.
 */
import { useEffect, useEffectEvent } from 'react'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { createObservable, useObservable } from '../../state/observable.ts'
import { isIgnoredRepeat, pressedKeysOf } from '../../state/pressed-keys.ts'

/**
 * Where the focus may be for a shortcut to work. `page`: in the content of the page (`main`) or nowhere.
 * `frame`: also in the navigation and the top bar. `everywhere`: also in a part of the page that has its own
 * keys (`data-own-keys`).
 */
const FOCUS_SCOPE_LEVELS = { page: 0, frame: 1, everywhere: 2 } as const

export interface Shortcut {
  /** As `pressedKeysOf` returns them: `/`, `a`, `Delete`, `shift+ArrowLeft`, `mod+z`. */
  keys: string
  /** The text in the list of shortcuts. */
  label: string
  /**
   * Where the focus may be; by default only on the `page`, since most keys act on the focused element or on
   * the selection.
   */
  focusScope?: keyof typeof FOCUS_SCOPE_LEVELS
  run(event: KeyboardEvent): void
}

const activeShortcuts = createObservable<readonly Shortcut[]>([])

export const useActiveShortcuts = () => useObservable(activeShortcuts)

export function useShortcuts(shortcuts: readonly Shortcut[], enabled = true): void {
  const run = useEffectEvent((keys: string, event: KeyboardEvent) => {
    shortcuts.find(shortcut => shortcut.keys === keys)?.run(event)
  })
  // The shortcuts as text, so that the effect runs again only if the keys, the label or the scope of a
  // shortcut has changed.
  const serialisedShortcuts = shortcuts
    .map(({ keys, label, focusScope = 'page' }) => `${keys}\t${label}\t${focusScope}`)
    .join('\n')
  useEffect(() => {
    if (!enabled || serialisedShortcuts === '') return
    const registeredShortcuts = serialisedShortcuts.split('\n').map((line): Shortcut => {
      const [keys = '', label = '', focusScope] = line.split('\t')
      return {
        keys,
        label,
        focusScope: focusScope as keyof typeof FOCUS_SCOPE_LEVELS,
        run: event => run(keys, event),
      }
    })
    activeShortcuts.set([...activeShortcuts.get(), ...registeredShortcuts])
    return () =>
      activeShortcuts.set(activeShortcuts.get().filter(shortcut => !registeredShortcuts.includes(shortcut)))
  }, [serialisedShortcuts, enabled])
}

/**
 * Runs the shortcut of the pressed key, if its `focusScope` includes `currentScope`; while the key is held
 * down, only arrows and zoom keys run it again. Dialogs call this to pass a key on to the page. If the key is
 * registered several times, the latest registration wins.
 */
export function runShortcut(
  event: KeyboardEvent,
  currentScope: keyof typeof FOCUS_SCOPE_LEVELS = 'page',
): void {
  const keys = pressedKeysOf(event)
  const shortcut = activeShortcuts
    .get()
    .findLast(
      candidate =>
        candidate.keys === keys &&
        FOCUS_SCOPE_LEVELS[candidate.focusScope ?? 'page'] >= FOCUS_SCOPE_LEVELS[currentScope],
    )
  if (!shortcut) return
  event.preventDefault()
  if (!isIgnoredRepeat(event)) shortcut.run(event)
}

/** Listens for key presses and runs their shortcuts. Used once, at the top of the app. */
export function useShortcutListener(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isInFieldOrDialog(event.target)) return
      if (isHandledByElement(event.target, pressedKeysOf(event))) return
      runShortcut(event, focusScopeOf(event.target))
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function focusScopeOf(target: EventTarget | null): keyof typeof FOCUS_SCOPE_LEVELS {
  if (!(target instanceof Element) || target === document.body) return 'page'
  const region = target.closest('[data-own-keys], main')
  if (!region) return 'frame'
  return region.hasAttribute('data-own-keys') ? 'everywhere' : 'page'
}

/** Whether the target is in a field, dialog or menu, which use keys themselves. A checkbox does not count. */
function isInFieldOrDialog(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input:not([type="checkbox"]), textarea, select, [role="dialog"], [role="menu"]') !==
        null)
  )
}

/**
 * Whether the focused element handles this key itself: Enter and space press a button or open a `summary`,
 * Enter follows a link, space ticks a checkbox.
 */
function isHandledByElement(target: EventTarget | null, keys: string): boolean {
  const selector = ownValue({ Enter: 'button, a[href], summary', ' ': 'button, summary, input' }, keys)
  return selector !== undefined && target instanceof Element && target.closest(selector) !== null
}

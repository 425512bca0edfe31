/**
 * Keyboard shortcuts. Each component registers its own while it is shown; the sheet behind `?` lists the present ones.
 * No shortcut fires while somebody types.
 */
import { useEffect, useEffectEvent } from 'react'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { createObservable, useObservable } from '../../state/observable.ts'
import { isHeld, keysOf } from './keys.ts'

/**
 * Where the focus may be: on the page or nowhere; also in the rail and the top bar; also in a part of the page that has
 * keys of its own (`data-own-keys`).
 */
const REACH = { page: 0, frame: 1, everywhere: 2 } as const

export interface Shortcut {
  /** As `keysOf` says it: `/`, `a`, `Delete`, `shift+ArrowLeft`, `mod+z`. */
  keys: string
  /** The action in words, for the sheet. */
  label: string
  /** From the page alone unless more is said: a key acts on what has the focus, or on what is chosen beside it. */
  reach?: keyof typeof REACH
  run(event: KeyboardEvent): void
}

const active = createObservable<readonly Shortcut[]>([])

/** For the sheet. */
export const useActiveShortcuts = () => useObservable(active)

export function useShortcuts(shortcuts: readonly Shortcut[], enabled = true): void {
  const run = useEffectEvent((keys: string, event: KeyboardEvent) => {
    shortcuts.find(each => each.keys === keys)?.run(event)
  })
  const names = shortcuts.map(({ keys, label, reach = 'page' }) => `${keys}\t${label}\t${reach}`).join('\n')
  useEffect(() => {
    if (!enabled || names === '') return
    const mine = names.split('\n').map((line): Shortcut => {
      const [keys = '', label = '', reach] = line.split('\t')
      return { keys, label, reach: reach as keyof typeof REACH, run: event => run(keys, event) }
    })
    active.set([...active.get(), ...mine])
    return () => active.set(active.get().filter(each => !mine.includes(each)))
  }, [names, enabled])
}

/**
 * Runs what the keys mean on the page: for a dialog that takes all keys itself and wants to leave some to the page. Of
 * equal keys the component that was shown last wins.
 */
export function runShortcut(event: KeyboardEvent, from: keyof typeof REACH = 'page'): void {
  const keys = keysOf(event)
  const found = active
    .get()
    .findLast(each => each.keys === keys && REACH[each.reach ?? 'page'] >= REACH[from])
  if (!found) return
  event.preventDefault()
  if (!isHeld(event)) found.run(event)
}

/** Used once, at the top of the app. */
export function useShortcutListener(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return
      if (isOwnKey(event.target, keysOf(event))) return
      runShortcut(event, placeOf(event.target))
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function placeOf(target: EventTarget | null): keyof typeof REACH {
  if (!(target instanceof Element) || target === document.body) return 'page'
  const part = target.closest('[data-own-keys], main')
  if (!part) return 'frame'
  return part.hasAttribute('data-own-keys') ? 'everywhere' : 'page'
}

/** True in fields, and in dialogs and menus, which use keys themselves. A check box does not count as typing. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input:not([type="checkbox"]), textarea, select, [role="dialog"], [role="menu"]') !==
        null)
  )
}

/** Keys that the focused element handles itself: Enter and space press a button, Enter follows a link. */
function isOwnKey(target: EventTarget | null, keys: string): boolean {
  const owners = ownValue({ Enter: 'button, a[href], summary', ' ': 'button, summary, input' }, keys)
  return owners !== undefined && target instanceof Element && target.closest(owners) !== null
}

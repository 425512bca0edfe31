/**
 * Keyboard shortcuts. Each component registers its own while it is shown; the sheet behind `?` lists the present ones.
 * No shortcut fires while somebody types.
 */
import { useEffect, useEffectEvent } from 'react'
import { ownValue } from '../../../src/contract/own-value.ts'
import { createObservable, useObservable } from './observable.ts'

export interface Shortcut {
  /** As `KeyboardEvent.key` says it: `/`, `a`, `Delete`, `ArrowLeft`; with `mod+` in front: Ctrl, or Cmd on a Mac. */
  keys: string
  /** The action in words, for the sheet. */
  label: string
  run(event: KeyboardEvent): void
}

const active = createObservable<readonly Shortcut[]>([])

/** For the sheet. */
export const useActiveShortcuts = () => useObservable(active)

export function useShortcuts(shortcuts: readonly Shortcut[], enabled = true): void {
  const run = useEffectEvent((keys: string, event: KeyboardEvent) => {
    shortcuts.find(each => each.keys === keys)?.run(event)
  })
  const names = shortcuts.map(({ keys, label }) => `${keys}\t${label}`).join('\n')
  useEffect(() => {
    if (!enabled || names === '') return
    const mine = names.split('\n').map((line): Shortcut => {
      const [keys = '', label = ''] = line.split('\t')
      return { keys, label, run: event => run(keys, event) }
    })
    active.set([...active.get(), ...mine])
    return () => active.set(active.get().filter(each => !mine.includes(each)))
  }, [names, enabled])
}

/** Runs what the keys mean elsewhere: for a dialog that takes all keys itself and wants to leave some to the page. */
export function runShortcut(event: KeyboardEvent): boolean {
  const found = active.get().findLast(each => each.keys === keysOf(event))
  found?.run(event)
  return found !== undefined
}

/** Used once, at the top of the app. Of equal keys the component that was shown last wins. */
export function useShortcutListener(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return
      if (isOwnKey(event.target, keysOf(event))) return
      if (runShortcut(event)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function keysOf(event: KeyboardEvent): string {
  const mod = event.ctrlKey || event.metaKey ? 'mod+' : ''
  return mod + (event.key.length === 1 ? event.key.toLowerCase() : event.key)
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

/** What was pressed, in one word: every handler of keys decides by this, so that none forgets a modifier. */

export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * As `KeyboardEvent.key` says it, behind its modifiers: `/`, `a`, `Delete`, `mod+a`, `shift+ArrowLeft`, `alt+ArrowLeft`.
 * `mod` is Ctrl, or Cmd on a Mac. Shift does not count where it only reaches the character, as in `?`.
 */
export function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const isCharacter = key.length === 1 && key !== ' '
  const isLetter = isCharacter && key.toLowerCase() !== key.toUpperCase()
  const modifiers = [
    altKey && 'alt+',
    (ctrlKey || metaKey) && 'mod+',
    shiftKey && (isLetter || !isCharacter) && 'shift+',
  ]
  return modifiers.filter(Boolean).join('') + (isLetter ? key.toLowerCase() : key)
}

/** A key that is held down goes on moving and enlarging; everything else happens once. */
export const isHeld = (event: Pressed & { repeat: boolean }) =>
  event.repeat && !/^(shift\+)?Arrow|^[+-]$/.test(keysOf(event))

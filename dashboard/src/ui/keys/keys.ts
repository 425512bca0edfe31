/** A pressed key with its modifiers as one word, so that no handler forgets a modifier. */

export type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * `KeyboardEvent.key` after its modifiers: `/`, `a`, `Delete`, `mod+a`, `shift+ArrowLeft`, `alt+ArrowLeft`.
 * `mod` is Ctrl, or Cmd on a Mac. Shift is omitted if it only produces the character, as in `?`.
 */
export function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: PressedKey): string {
  const isCharacter = key.length === 1 && key !== ' '
  const isLetter = isCharacter && key.toLowerCase() !== key.toUpperCase()
  const modifiers = [
    altKey && 'alt+',
    (ctrlKey || metaKey) && 'mod+',
    shiftKey && (isLetter || !isCharacter) && 'shift+',
  ]
  return modifiers.filter(Boolean).join('') + (isLetter ? key.toLowerCase() : key)
}

/** Only arrows and zoom keys repeat while held down. */
export const isHeld = (event: PressedKey & { repeat: boolean }) =>
  event.repeat && !/^(shift\+)?Arrow|^[+-]$/.test(keysOf(event))

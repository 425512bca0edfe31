/**
 * A pressed key together with its modifiers as one string, so that no handler forgets to check a modifier.
 */

export type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * The modifiers, followed by `KeyboardEvent.key` with letters in lower case: `/`, `a`, `Delete`, `mod+a`,
 * `shift+ArrowLeft`, `alt+ArrowLeft`. `mod` is Ctrl or Cmd (the meta key). Shift is omitted if it only
 * produces the character, as in `?`.
 */
export function pressedKeysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: PressedKey): string {
  const isCharacter = key.length === 1 && key !== ' '
  const isLetter = isCharacter && key.toLowerCase() !== key.toUpperCase()
  const modifiers = [
    altKey && 'alt+',
    (ctrlKey || metaKey) && 'mod+',
    shiftKey && (isLetter || !isCharacter) && 'shift+',
  ]
  return modifiers.filter(Boolean).join('') + (isLetter ? key.toLowerCase() : key)
}

/**
 * Whether to ignore a key event because the key is held down: only `+`, `-` and the arrows, alone or with
 * Shift, repeat.
 */
export const isIgnoredRepeat = (event: PressedKey & { repeat: boolean }) =>
  event.repeat && !/^(shift\+)?Arrow|^[+-]$/.test(pressedKeysOf(event))

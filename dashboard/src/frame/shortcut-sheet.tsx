/** The list of shortcuts, opened by `?` or from the account menu. */
import { Group, Kbd, Stack, Text } from '@mantine/core'
import { ownValue } from '../../../src/contract/values/own-value.ts'
import { useLanguage, useWords } from '../language/language.tsx'
import type { Language } from '../language/words.ts'
import { Dialog } from '../ui/forms/dialog.tsx'
import { useActiveShortcuts, useShortcuts } from '../ui/keys/use-shortcuts.ts'
import { undoLatest } from '../ui/notify.tsx'
import { words } from './words.ts'

export function ShortcutSheet({ opened, onChange }: { opened: boolean; onChange(opened: boolean): void }) {
  const w = useWords(words)
  const { language } = useLanguage()
  const activeShortcuts = useActiveShortcuts()
  useShortcuts([
    { keys: '?', label: w.keyboardSheet, focusScope: 'everywhere', run: () => onChange(true) },
    { keys: 'mod+z', label: w.undo, focusScope: 'everywhere', run: () => void undoLatest() },
  ])
  return (
    <Dialog opened={opened} onClose={() => onChange(false)} title={w.keyboardSheet}>
      <Stack gap="xs">
        {[...Map.groupBy(activeShortcuts, ({ label }) => label)].map(([label, shortcuts]) => (
          <Group key={label} justify="space-between" wrap="nowrap">
            <Text size="sm">{label}</Text>
            <Group gap={4} wrap="nowrap">
              {shortcuts.map(({ keys }) => (
                <Kbd key={keys}>{keyName(keys, language)}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Dialog>
  )
}

/** The names of keys in the list; a key that is not here is shown as it is. */
const KEY_NAMES: Readonly<Record<string, Record<Language, string>>> = {
  Delete: { de: 'Entf', en: 'Del' },
  Enter: { de: 'Eingabe', en: 'Enter' },
  Escape: { de: 'Esc', en: 'Esc' },
  ' ': { de: 'Leertaste', en: 'Space' },
  ArrowLeft: { de: '←', en: '←' },
  ArrowRight: { de: '→', en: '→' },
  ArrowUp: { de: '↑', en: '↑' },
  ArrowDown: { de: '↓', en: '↓' },
}

const MODIFIERS = [
  ['mod+', { de: 'Strg', en: 'Ctrl' }],
  ['shift+', { de: 'Umschalt', en: 'Shift' }],
] as const

export function keyName(keys: string, language: Language): string {
  for (const [modifier, names] of MODIFIERS) {
    if (keys.startsWith(modifier))
      return `${names[language]} + ${keyName(keys.slice(modifier.length), language).toUpperCase()}`
  }
  return ownValue(KEY_NAMES, keys)?.[language] ?? keys
}

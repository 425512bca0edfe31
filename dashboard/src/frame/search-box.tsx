/** Searches names and paths everywhere while typing. The search text is in the address of the files page. */
import { ActionIcon, Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { navigate, useLocationProperty } from 'wouter/use-browser-location'
import { useWords } from '../language/language.tsx'
import { type FilesSearch, filesAddress, shownFiles } from '../state/addresses.ts'
import { keysOf } from '../ui/keys/keys.ts'
import { useShortcuts } from '../ui/keys/use-shortcuts.ts'
import classes from './frame.module.css'
import { words } from './words.ts'

/** Milliseconds between the last key and the search. */
const PAUSE = 80

export function SearchBox() {
  const w = useWords(words)
  const there = useLocationProperty(searchedFor)
  const [typed, setTyped] = useState(there)
  const field = useRef<HTMLInputElement>(null)

  const go = useDebouncedCallback((suche: string) => {
    const shown = shownFiles()
    if (suche === (shown?.suche ?? '')) return
    // One step back ends the search, however many letters were typed.
    navigate(filesAddress(searchIn(shown, suche)), { replace: there !== '' })
  }, PAUSE)

  // The address changed in another way, such as the back button.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(there)
  }, [there])

  const change = (value: string) => {
    setTyped(value)
    go(value.trim())
  }
  useShortcuts([{ keys: '/', label: w.search, reach: 'everywhere', run: () => field.current?.select() }])

  return (
    <search className={classes.search}>
      <TextInput
        ref={field}
        type="text"
        aria-label={w.search}
        placeholder={w.searchHint}
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={<Clear typed={typed} onClear={() => change('')} />}
        value={typed}
        onChange={event => change(event.currentTarget.value)}
        onKeyDown={event => {
          const keys = keysOf(event)
          if (keys === 'Escape' && typed === '') event.currentTarget.blur()
          else if (keys === 'Escape') change('')
          if (keys !== 'Enter') return
          go.flush()
          // Results can be browsed and selected by keyboard at once.
          document.getElementById('inhalt')?.focus({ preventScroll: true })
        }}
      />
    </search>
  )
}

const searchedFor = () => shownFiles()?.suche ?? ''

/** Clears the field; while empty, shows the shortcut. */
function Clear({ typed, onClear }: { typed: string; onClear(): void }) {
  const w = useWords(words)
  return typed === '' ? (
    <Kbd visibleFrom="sm" aria-hidden>
      /
    </Kbd>
  ) : (
    <ActionIcon variant="subtle" color="gray" aria-label={w.clearSearch} onClick={onClear}>
      <IconX size={16} aria-hidden />
    </ActionIcon>
  )
}

/**
 * Starts at the first page; sort and filters stay. A search begins everywhere: the open folder is kept, so
 * that the search can be narrowed to it, and ending the search returns there.
 */
function searchIn(shown: FilesSearch | null, suche: string): Partial<FilesSearch> {
  const { ordner = '', von = '', suche: before = '' } = shown ?? {}
  const place =
    suche === '' ? { ordner: ordner || von, von: '' } : before === '' ? { ordner: '', von: ordner } : {}
  return { ...shown, ...place, suche, seite: 1, datei: '' }
}

/**
 * The search field in the top bar: searches names and paths while the user types, at first in all folders.
 * The search text is kept in the address of the files page.
 */
import { ActionIcon, Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { navigate, useLocationProperty } from 'wouter/use-browser-location'
import { usePrefetch } from '../api/use-get.ts'
import { listingQuery } from '../files/listing/search.ts'
import { useWords } from '../language/language.tsx'
import { currentFilesSearch, FILES_PARAMETERS, type FilesSearch, filesAddress } from '../state/addresses.ts'
import { pressedKeysOf } from '../state/pressed-keys.ts'
import { readSearch } from '../state/use-search-state.ts'
import { useShortcuts } from '../ui/keys/use-shortcuts.ts'
import classes from './frame.module.css'
import { words } from './words.ts'

/** Milliseconds after the last keystroke until the search starts. */
const SEARCH_DELAY_MS = 60

export function SearchBox() {
  const w = useWords(words)
  const searchInAddress = useLocationProperty(readSearchText)
  const [searchText, setSearchText] = useState(searchInAddress)
  const field = useRef<HTMLInputElement>(null)
  const prefetch = usePrefetch()

  const startSearch = useDebouncedCallback((suche: string) => {
    const filesSearch = currentFilesSearch()
    if (suche === (filesSearch?.suche ?? '')) return
    const nextSearch = withSearchText(filesSearch ?? readSearch(FILES_PARAMETERS, ''), suche)
    // The request is sent before the page renders the new search, so that rendering and request overlap.
    prefetch('media', listingQuery(nextSearch))
    // All keystrokes of a search share one history entry, so that one step back ends the search.
    navigate(filesAddress(nextSearch), { replace: searchInAddress !== '' })
  }, SEARCH_DELAY_MS)

  // When the address changes while the field does not have the focus, such as by the back button, the field
  // shows the search text of the address.
  useEffect(() => {
    if (document.activeElement !== field.current) setSearchText(searchInAddress)
  }, [searchInAddress])

  const changeText = (value: string) => {
    setSearchText(value)
    startSearch(value.trim())
  }
  useShortcuts([{ keys: '/', label: w.search, focusScope: 'everywhere', run: () => field.current?.select() }])

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
        rightSection={<ClearButton searchText={searchText} onClear={() => changeText('')} />}
        value={searchText}
        onChange={event => changeText(event.currentTarget.value)}
        onKeyDown={event => {
          const keys = pressedKeysOf(event)
          if (keys === 'Escape' && searchText === '') event.currentTarget.blur()
          else if (keys === 'Escape') changeText('')
          if (keys !== 'Enter') return
          startSearch.flush()
          // Moves the focus to the content with the results, so that they can be browsed and selected by
          // keyboard.
          document.getElementById('inhalt')?.focus({ preventScroll: true })
        }}
      />
    </search>
  )
}

const readSearchText = () => currentFilesSearch()?.suche ?? ''

/** A button that clears the field; while the field is empty, the key that focuses it (`/`) is shown. */
function ClearButton({ searchText, onClear }: { searchText: string; onClear(): void }) {
  const w = useWords(words)
  return searchText === '' ? (
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
 * The parameters of the files page for this search text, at the first page of results. Sort order and filters
 * are kept. A new search covers all folders; `von` stores the folder that was open, so that the user can
 * narrow the search to it. When the search ends, the folder to which it was narrowed stays open; a search
 * that was not narrowed returns to the folder in `von`.
 */
function withSearchText(search: FilesSearch, suche: string): FilesSearch {
  const { ordner, von } = search
  const folderChange =
    suche === '' ? { ordner: ordner || von, von: '' } : search.suche === '' ? { ordner: '', von: ordner } : {}
  return { ...search, ...folderChange, suche, seite: 1, datei: '' }
}

/**
 * A switch for the scope of a search that began in a folder: all folders, or only this folder. Renders
 * nothing if there is no search, or if the search began in the top folder.
 */
import { SegmentedControl } from '@mantine/core'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useFilesAddress } from '../listing/search.ts'
import { words } from '../words.ts'

export function SearchScope() {
  const { search, setSearch } = useFilesAddress()
  const w = useWords(words)
  const folder = search.ordner === '' ? search.von : search.ordner
  if (search.suche === '' || folder === '') return null
  return (
    <SegmentedControl
      aria-label={w.where}
      size="xs"
      value={search.ordner === '' ? 'everywhere' : 'here'}
      onChange={value => setSearch({ ordner: value === 'here' ? folder : '', von: folder, seite: 1 })}
      data={[
        { value: 'everywhere', label: w.everywhere },
        { value: 'here', label: w.inFolder(nameOf(folder)) },
      ]}
    />
  )
}

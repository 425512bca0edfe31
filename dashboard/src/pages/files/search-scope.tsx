/** Whether the search goes everywhere or only through the folder where it began. */
import { SegmentedControl } from '@mantine/core'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../parts/paths.ts'
import type { FilesSearch, SetFilesSearch } from './search.ts'
import { words } from './words.ts'

export interface SearchScopeProps {
  search: FilesSearch
  onChange: SetFilesSearch
}

export function SearchScope({ search, onChange }: SearchScopeProps) {
  const w = useWords(words)
  const folder = search.ordner === '' ? search.von : search.ordner
  if (search.suche === '' || folder === '') return null
  return (
    <SegmentedControl
      aria-label={w.where}
      size="xs"
      value={search.ordner === '' ? 'everywhere' : 'here'}
      onChange={value =>
        onChange(
          value === 'here'
            ? { ordner: folder, von: folder, seite: 1 }
            : { ordner: '', von: folder, seite: 1 },
        )
      }
      data={[
        { value: 'everywhere', label: w.everywhere },
        { value: 'here', label: w.inFolder(nameOf(folder)) },
      ]}
    />
  )
}

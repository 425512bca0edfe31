/** A field for a folder, typed or picked. A folder that does not exist yet is allowed; the form decides. */
import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useGet } from '../../api/use-get.ts'
import { fittingFolders, flatFolders } from './folder-list.ts'

/** Offered folders; a longer list is narrowed by typing. */
const OFFERED = 50

export type FolderFieldProps = Omit<AutocompleteProps, 'data' | 'filter' | 'limit' | 'leftSection'>

export function FolderField({ value = '', ...rest }: FolderFieldProps) {
  const { data: tree } = useGet('folders')
  const paths = useMemo(() => flatFolders(tree ?? []).map(({ pfad }) => pfad), [tree])
  const offered = useMemo(() => fittingFolders(paths, value, OFFERED), [paths, value])
  return (
    <Autocomplete
      value={value}
      // Chosen above already, best first.
      data={offered}
      filter={({ options }) => options}
      leftSection={<IconFolder size={18} stroke={1.5} aria-hidden />}
      maxDropdownHeight={240}
      autoComplete="off"
      spellCheck={false}
      comboboxProps={{ shadow: 'md' }}
      {...rest}
    />
  )
}

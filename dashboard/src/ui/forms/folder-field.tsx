/** A field for a folder, typed or picked. Folders that do not exist are accepted; a form may refuse them. */
import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useGet } from '../../api/use-get.ts'
import { findMatchingFolders, flattenFolders } from './folder-list.ts'

const MAX_SUGGESTIONS = 50

export type FolderFieldProps = Omit<AutocompleteProps, 'data' | 'filter' | 'limit' | 'leftSection'>

export function FolderField({ value = '', ...rest }: FolderFieldProps) {
  const { data: tree } = useGet('folders')
  const paths = useMemo(() => flattenFolders(tree ?? []).map(({ pfad }) => pfad), [tree])
  const suggestions = useMemo(() => findMatchingFolders(paths, value, MAX_SUGGESTIONS), [paths, value])
  return (
    <Autocomplete
      value={value}
      // `findMatchingFolders` has filtered and sorted the options, so Mantine must not filter them again.
      data={suggestions}
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

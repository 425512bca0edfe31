/**
 * The dialog that saves the current filters in the account under a name, together with the folder, the
 * search, the sort order and the number of files per page.
 */
import { TextInput } from '@mantine/core'
import { FILTER_NAME_MAX_LENGTH } from '../../../../src/contract/values/input-limits.ts'
import { useWords } from '../../language/language.tsx'
import { type FilesSearch, filesQuery } from '../../state/addresses.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { useBookmarks } from './use-bookmarks.ts'
import { filterWords } from './words.ts'

export function SaveFilterDialog({ search, onClose }: { search: FilesSearch; onClose(): void }) {
  const w = useWords(filterWords)
  const notify = useNotify()
  const { bookmarks, save } = useBookmarks()
  return (
    <FormDialog
      title={w.saveFilter}
      submit={w.save}
      initialValues={{ name: '' }}
      check={({ name }) => ({
        name: bookmarks.filter.some(savedFilter => savedFilter.name === name.trim()) && w.filterNameTaken,
      })}
      send={async ({ name }) => {
        const query = filesQuery({ ...search, seite: 1, datei: '', gross: '' })
        await save({ ...bookmarks, filter: [...bookmarks.filter, { name: name.trim(), abfrage: query }] })
        return name.trim()
      }}
      onSent={name => {
        onClose()
        notify.showSuccess(w.filterSaved(name))
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <TextInput
          {...field('name')}
          label={w.keepName}
          maxLength={FILTER_NAME_MAX_LENGTH}
          required
          autoComplete="off"
          data-autofocus
        />
      )}
    </FormDialog>
  )
}

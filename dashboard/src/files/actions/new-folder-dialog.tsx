/**
 * The dialog that asks for the name of a new folder and opens its page. The folder does not exist until it
 * has a file.
 */
import { TextInput } from '@mantine/core'
import { germanPathFault } from '../../../../src/contract/paths/path-rules.ts'
import { useWords } from '../../language/language.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { trimFolder } from '../../ui/forms/folder-list.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { actionWords } from '../words.ts'

export interface NewFolderDialogProps {
  parent: string
  onCreated(folder: string): void
  onClose(): void
}

export function NewFolderDialog({ parent, onCreated, onClose }: NewFolderDialogProps) {
  const w = useWords(actionWords)
  const folderPathOf = (name: string) => trimFolder(`${parent}/${name}`)
  return (
    <FormDialog
      title={w.newFolder}
      submit={w.newFolderMake}
      initialValues={{ name: '' }}
      check={({ name }) => ({
        name: (trimFolder(name) === '' || germanPathFault(folderPathOf(name)) !== null) && w.newFolderRule,
      })}
      // In lower case, because the service lower-cases uploads including their folders.
      send={async ({ name }) => folderPathOf(name).toLowerCase()}
      onSent={folder => {
        onClose()
        onCreated(folder)
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <TextInput
            {...field('name')}
            label={w.newFolderName}
            description={parent === '' ? undefined : w.inFolder(parent)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <DimmedText>{w.newFolderHint}</DimmedText>
        </>
      )}
    </FormDialog>
  )
}

/** A new name for a file or a folder, asked for from the gallery. */
import { useWords } from '../../../language/language.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { nameOf } from '../../../parts/paths.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import { RenameForm } from './rename-form.tsx'
import { retrievalsOf, useFolderRetrievals, useRetrievalSentences } from './retrievals.ts'
import type { Actions } from './use-actions.ts'

interface DialogProps {
  actions: Actions
  onClose(): void
}

export function RenameFileDialog({ file, actions, onClose }: DialogProps & { file: FileAnswer }) {
  const w = useWords(actionWords)
  const { before } = useRetrievalSentences()
  const name = nameOf(file.path)
  return (
    <Dialog opened onClose={onClose} title={w.renameTitle(name)}>
      <RenameForm
        name={name}
        warning={before(retrievalsOf([file]))}
        onRename={next => actions.rename(file, next)}
        onClose={onClose}
      />
    </Dialog>
  )
}

export function RenameFolderDialog({ folder, actions, onClose }: DialogProps & { folder: string }) {
  const w = useWords(actionWords)
  const { before } = useRetrievalSentences()
  const retrievals = useFolderRetrievals(folder)
  const name = nameOf(folder)
  return (
    <Dialog opened onClose={onClose} title={w.renameTitle(name)}>
      <RenameForm
        name={name}
        folder
        warning={retrievals ? before(retrievals) : null}
        onRename={next => actions.renameFolder(folder, next)}
        onClose={onClose}
      />
    </Dialog>
  )
}

/** The dialog for search and replace in a folder or a selection. */
import { useWords } from '../../language/language.tsx'
import { Dialog } from '../../ui/forms/dialog.tsx'
import type { Target } from '../target.ts'
import { ReplaceForm } from './replace.tsx'
import { words } from './words.ts'

export default function ReplaceDialog({ target, onClose }: { target: Target; onClose(): void }) {
  const w = useWords(words)
  return (
    <Dialog opened onClose={onClose} title={w.replace} size="xl">
      <ReplaceForm target={target} onDone={onClose} />
    </Dialog>
  )
}

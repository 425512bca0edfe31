/** Search and replace over a folder or a selection. Shown as long as it is there: `{open && <ReplaceDialog … />}`. */
import { useWords } from '../../../language/language.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import type { Meant } from '../selection/meant.ts'
import { Replace } from './replace.tsx'
import { words } from './words.ts'

export interface ReplaceDialogProps {
  /** Empty: everywhere. */
  ordner: string
  /** Only these files. */
  meant?: Meant
  onClose(): void
}

export default function ReplaceDialog({ ordner, meant, onClose }: ReplaceDialogProps) {
  const w = useWords(words)
  return (
    <Dialog opened onClose={onClose} title={w.title} size="xl">
      <Replace ordner={ordner} {...(meant && { meant })} onDone={onClose} />
    </Dialog>
  )
}

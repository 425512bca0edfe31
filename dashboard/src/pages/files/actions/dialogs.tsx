/** The dialogs of the files page; at most one is open. */
import { lazy, Suspense } from 'react'
import type { Meant } from '../selection/meant.ts'
import type { FileAnswer } from '../types.ts'
import { MoveFilesDialog, MoveFolderDialog } from './move-dialog.tsx'
import { NewFolderDialog } from './new-folder-dialog.tsx'
import { RenameFileDialog, RenameFolderDialog } from './rename-dialogs.tsx'
import type { Actions } from './use-actions.ts'

/** Its code is fetched when it is opened: most visits do without search and replace. */
const ReplaceDialog = lazy(() => import('../replace/replace-dialog.tsx'))
/** As on the page of shares. */
const ShareDialog = lazy(async () => ({
  default: (await import('../../shares/create-dialog.tsx')).CreateDialog,
}))

export type OpenDialog =
  | { kind: 'rename'; file: FileAnswer }
  | { kind: 'renameFolder'; folder: string }
  | { kind: 'move'; meant: Meant }
  | { kind: 'moveFolder'; folder: string }
  | { kind: 'newFolder'; folder: string; onMade(folder: string): void }
  | { kind: 'share'; folder: string }
  | { kind: 'replace'; folder: string; meant?: Meant }

export interface DialogsProps {
  open: OpenDialog | null
  actions: Actions
  onClose(): void
}

export function Dialogs({ open, actions, onClose }: DialogsProps) {
  const given = { actions, onClose }
  switch (open?.kind) {
    case 'rename':
      return <RenameFileDialog file={open.file} {...given} />
    case 'renameFolder':
      return <RenameFolderDialog folder={open.folder} {...given} />
    case 'move':
      return <MoveFilesDialog meant={open.meant} {...given} />
    case 'moveFolder':
      return <MoveFolderDialog folder={open.folder} {...given} />
    case 'newFolder':
      return <NewFolderDialog parent={open.folder} onMade={open.onMade} onClose={onClose} />
    case 'share':
      return (
        <Suspense fallback={null}>
          <ShareDialog opened folder={open.folder} isSettled onClose={onClose} />
        </Suspense>
      )
    case 'replace':
      return (
        <Suspense fallback={null}>
          <ReplaceDialog ordner={open.folder} {...(open.meant && { meant: open.meant })} onClose={onClose} />
        </Suspense>
      )
    default:
      return null
  }
}

/** What can be done to a file or a folder, where the pointer is. */
import { Menu } from '@mantine/core'
import {
  IconCopy,
  IconCursorText,
  IconExternalLink,
  IconEye,
  IconFolderOpen,
  IconFolderSymlink,
  IconInfoCircle,
  IconReplace,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../../../language/language.tsx'
import type { CopyForm } from '../copy-forms.ts'
import { CopyItems } from '../copy-menu.tsx'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'

export interface MenuPlace {
  x: number
  y: number
  /** Gets the focus back. */
  from: HTMLElement | null
}

export type OpenMenu = MenuPlace & ({ files: readonly FileAnswer[] } | { folder: string })

export interface FileMenuActions {
  onDetails(file: FileAnswer): void
  onPreview(file: FileAnswer): void
  onCopy(files: readonly FileAnswer[], form?: CopyForm): void
  onRename(file: FileAnswer): void
  onMove(files: readonly FileAnswer[]): void
  onReplace(files: readonly FileAnswer[]): void
  onRemove(files: readonly FileAnswer[]): void
}

export interface FolderMenuActions {
  onEnter(folder: string): void
  onUploadTo(folder: string): void
  onRenameFolder(folder: string): void
  onMoveFolder(folder: string): void
  onReplaceIn(folder: string): void
  onRemoveFolder(folder: string): void
}

export interface ContextMenuProps extends FileMenuActions, FolderMenuActions {
  open: OpenMenu | null
  onClose(): void
}

export function ContextMenu({ open, onClose, ...actions }: ContextMenuProps) {
  if (!open) return null
  const close = () => {
    onClose()
    // A dialog that the menu opened takes the focus afterwards, and gives it back to here.
    open.from?.focus()
  }
  return (
    <Menu opened onClose={close} position="bottom-start" width={240} trapFocus withinPortal>
      <Menu.Target>
        <span style={{ position: 'fixed', left: open.x, top: open.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        {'folder' in open ? (
          <FolderItems folder={open.folder} {...actions} />
        ) : (
          <FileItems files={open.files} {...actions} />
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const sign = (Sign: typeof IconCopy) => <Sign size={18} stroke={1.6} aria-hidden />

interface ItemProps {
  icon: typeof IconCopy
  onClick(): void
  children: ReactNode
  danger?: boolean
}

function Item({ icon, onClick, children, danger = false }: ItemProps) {
  return (
    <Menu.Item leftSection={sign(icon)} onClick={onClick} {...(danger && { c: 'var(--fundus-bad)' })}>
      {children}
    </Menu.Item>
  )
}

function FileItems({ files, ...on }: FileMenuActions & { files: readonly FileAnswer[] }) {
  const w = useWords(actionWords)
  const [only] = files.length === 1 ? files : []
  return (
    <>
      <Item icon={IconCopy} onClick={() => on.onCopy(files)}>
        {only ? w.copyAddress : w.copyAddresses}
      </Item>
      <Menu.Sub>
        <Menu.Sub.Target>
          <Menu.Sub.Item leftSection={<span style={{ width: 18 }} />}>{w.copyAs}</Menu.Sub.Item>
        </Menu.Sub.Target>
        <Menu.Sub.Dropdown>
          <CopyItems onCopy={form => on.onCopy(files, form)} />
        </Menu.Sub.Dropdown>
      </Menu.Sub>
      <Menu.Divider />
      {only && (
        <>
          <Item icon={IconInfoCircle} onClick={() => on.onDetails(only)}>
            {w.details}
          </Item>
          <Item icon={IconEye} onClick={() => on.onPreview(only)}>
            {w.preview}
          </Item>
          <Menu.Item
            component="a"
            href={only.url}
            target="_blank"
            rel="noreferrer"
            leftSection={sign(IconExternalLink)}
          >
            {w.openAddress}
          </Menu.Item>
          <Item icon={IconCursorText} onClick={() => on.onRename(only)}>
            {w.rename}
          </Item>
        </>
      )}
      <Item icon={IconFolderSymlink} onClick={() => on.onMove(files)}>
        {w.move}
      </Item>
      <Item icon={IconReplace} onClick={() => on.onReplace(files)}>
        {w.replace}
      </Item>
      <Menu.Divider />
      <Item icon={IconTrash} danger onClick={() => on.onRemove(files)}>
        {w.remove}
      </Item>
    </>
  )
}

export function FolderItems({ folder, ...on }: FolderMenuActions & { folder: string }) {
  const w = useWords(actionWords)
  return (
    <>
      <Item icon={IconFolderOpen} onClick={() => on.onEnter(folder)}>
        {w.open}
      </Item>
      <Item icon={IconUpload} onClick={() => on.onUploadTo(folder)}>
        {w.uploadHere}
      </Item>
      <Item icon={IconReplace} onClick={() => on.onReplaceIn(folder)}>
        {w.replace}
      </Item>
      {/* The top can go nowhere. */}
      {folder !== '' && (
        <>
          <Menu.Divider />
          <Item icon={IconCursorText} onClick={() => on.onRenameFolder(folder)}>
            {w.rename}
          </Item>
          <Item icon={IconFolderSymlink} onClick={() => on.onMoveFolder(folder)}>
            {w.move}
          </Item>
          <Item icon={IconTrash} danger onClick={() => on.onRemoveFolder(folder)}>
            {w.remove}
          </Item>
        </>
      )}
    </>
  )
}

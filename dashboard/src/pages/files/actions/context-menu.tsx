/** The context menu of files and folders, opened at the pointer. */
import { Menu } from '@mantine/core'
import {
  IconCopy,
  IconCursorText,
  IconDownload,
  IconExternalLink,
  IconEye,
  IconFolderOpen,
  IconFolderSymlink,
  IconInfoCircle,
  IconReplace,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { useWords } from '../../../language/language.tsx'
import { MenuEntry } from '../../../parts/buttons.tsx'
import type { CopyForm } from '../copy-forms.ts'
import { CopyItems } from '../copy-menu.tsx'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import { downloadFiles, downloadFolder } from './download.ts'

export interface MenuPlace {
  x: number
  y: number
  /** The element that gets the focus back. */
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
    // A dialog opened by the menu takes the focus afterwards, and returns it to this element.
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

function FileItems({ files, ...on }: FileMenuActions & { files: readonly FileAnswer[] }) {
  const w = useWords(actionWords)
  const [only] = files.length === 1 ? files : []
  return (
    <>
      <MenuEntry
        icon={IconCopy}
        label={only ? w.copyAddress : w.copyAddresses}
        onClick={() => on.onCopy(files)}
      />
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
          <MenuEntry icon={IconInfoCircle} label={w.details} onClick={() => on.onDetails(only)} />
          <MenuEntry icon={IconEye} label={w.preview} onClick={() => on.onPreview(only)} />
          <Menu.Item
            component="a"
            href={only.url}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={18} stroke={1.6} aria-hidden />}
          >
            {w.openAddress}
          </Menu.Item>
          <MenuEntry icon={IconCursorText} label={w.rename} onClick={() => on.onRename(only)} />
        </>
      )}
      <MenuEntry
        icon={IconDownload}
        label={only ? w.download : w.downloadZip}
        onClick={() => downloadFiles(files.map(({ path }) => path))}
      />
      <MenuEntry icon={IconFolderSymlink} label={w.move} onClick={() => on.onMove(files)} />
      <MenuEntry icon={IconReplace} label={w.replace} onClick={() => on.onReplace(files)} />
      <Menu.Divider />
      <MenuEntry icon={IconTrash} danger label={w.remove} onClick={() => on.onRemove(files)} />
    </>
  )
}

export function FolderItems({ folder, ...on }: FolderMenuActions & { folder: string }) {
  const w = useWords(actionWords)
  return (
    <>
      <MenuEntry icon={IconFolderOpen} label={w.open} onClick={() => on.onEnter(folder)} />
      <MenuEntry icon={IconUpload} label={w.uploadHere} onClick={() => on.onUploadTo(folder)} />
      <MenuEntry icon={IconDownload} label={w.downloadZip} onClick={() => downloadFolder(folder)} />
      <MenuEntry icon={IconReplace} label={w.replace} onClick={() => on.onReplaceIn(folder)} />
      {/* The topmost folder cannot be renamed, moved or deleted. */}
      {folder !== '' && (
        <>
          <Menu.Divider />
          <MenuEntry icon={IconCursorText} label={w.rename} onClick={() => on.onRenameFolder(folder)} />
          <MenuEntry icon={IconFolderSymlink} label={w.move} onClick={() => on.onMoveFolder(folder)} />
          <MenuEntry icon={IconTrash} danger label={w.remove} onClick={() => on.onRemoveFolder(folder)} />
        </>
      )}
    </>
  )
}

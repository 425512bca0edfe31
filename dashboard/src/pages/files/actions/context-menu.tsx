/** The context menu of files and folders, opened at the pointer. */
import { Menu, UnstyledButton } from '@mantine/core'
import {
  IconCopy,
  IconCursorText,
  IconExternalLink,
  IconEye,
  IconFolderOpen,
  IconFolderPlus,
  IconFolderSymlink,
  IconInfoCircle,
  IconReplace,
  IconShare2,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { useWords } from '../../../language/language.tsx'
import { MenuEntry } from '../../../parts/buttons.tsx'
import type { CopyForm } from '../copy-forms.ts'
import { CopyItems } from '../copy-menu.tsx'
import { filesOf, type Meant } from '../selection/meant.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import { DownloadItem, ExportMenu } from './download-items.tsx'

export interface MenuPlace {
  x: number
  y: number
  /** The element that gets the focus back. */
  from: HTMLElement | null
}

export type OpenMenu = MenuPlace & ({ meant: Meant } | { folder: string })

export interface FileMenuActions {
  onDetails(file: FileAnswer): void
  onPreview(file: FileAnswer): void
  onCopy(files: readonly FileAnswer[], form?: CopyForm): void
  onRename(file: FileAnswer): void
  onMove(meant: Meant): void
  onReplace(meant: Meant): void
  onRemove(meant: Meant): void
}

export interface FolderMenuActions {
  onEnter(folder: string): void
  onUploadTo(folder: string): void
  onNewFolder(parent: string): void
  onShare(folder: string): void
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
        {/* A button, since only that may say that it has opened a menu. */}
        <UnstyledButton tabIndex={-1} aria-hidden style={{ position: 'fixed', left: open.x, top: open.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        {'folder' in open ? (
          <FolderItems folder={open.folder} {...actions} />
        ) : (
          <FileItems meant={open.meant} {...actions} />
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function FileItems({ meant, ...on }: FileMenuActions & { meant: Meant }) {
  const w = useWords(actionWords)
  const files = filesOf(meant)
  const [only] = files.length === 1 ? files : []
  return (
    <>
      {files.length > 0 && (
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
        </>
      )}
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
      <DownloadItem wanted={meant} />
      <ExportMenu wanted={meant} />
      <MenuEntry icon={IconFolderSymlink} label={w.move} onClick={() => on.onMove(meant)} />
      <MenuEntry icon={IconReplace} label={w.replace} onClick={() => on.onReplace(meant)} />
      <Menu.Divider />
      <MenuEntry icon={IconTrash} danger label={w.remove} onClick={() => on.onRemove(meant)} />
    </>
  )
}

export function FolderItems({ folder, ...on }: FolderMenuActions & { folder: string }) {
  const w = useWords(actionWords)
  return (
    <>
      <MenuEntry icon={IconFolderOpen} label={w.open} onClick={() => on.onEnter(folder)} />
      <MenuEntry icon={IconUpload} label={w.uploadHere} onClick={() => on.onUploadTo(folder)} />
      <MenuEntry icon={IconFolderPlus} label={w.newFolder} onClick={() => on.onNewFolder(folder)} />
      <DownloadItem wanted={folder} />
      <ExportMenu wanted={folder} />
      {folder !== '' && <MenuEntry icon={IconShare2} label={w.share} onClick={() => on.onShare(folder)} />}
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

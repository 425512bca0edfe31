/**
 * Every command on files and folders, once: icon, words, shortcut, target, where it is shown, and action.
 * Menus, selection bar, details, viewer, shortcuts and their list are made from it. A new command is an entry
 * here and its words in `words.ts`.
 */
import {
  type Icon,
  IconCopy,
  IconCursorText,
  IconDownload,
  IconExternalLink,
  IconEye,
  IconFileUpload,
  IconFolderOpen,
  IconFolderPlus,
  IconFolderSymlink,
  IconInfoCircle,
  IconPhotoShare,
  IconPin,
  IconReplace,
  IconShare2,
  IconTableExport,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { type ComponentType, lazy, type ReactNode } from 'react'
import type { Role } from '../../../../src/contract/accounts/roles.ts'
import type { PictureSize } from '../../../../src/contract/files/picture-sizes.ts'
import { may, mayMoveFolder, mayPutInto } from '../../state/rights.ts'
import { chooseFiles, chooseReplacement } from '../../uploads/uploads.ts'
import { addressIn, COPY_FORMS, hasSizes } from '../actions/copy-forms.ts'
import { mayCopyPicture } from '../actions/copy-picture.ts'
import { type Download, EXPORT_FORMATS } from '../actions/download.ts'
import { MoveDialog } from '../actions/move-dialog.tsx'
import { NewFolderDialog } from '../actions/new-folder-dialog.tsx'
import { RenameDialog } from '../actions/rename-dialog.tsx'
import type { Actions } from '../actions/use-actions.ts'
import type { Copy } from '../actions/use-copy.ts'
import { filesOf, isFolder, oneOf, type Target } from '../target.ts'
import type { FileAnswer } from '../types.ts'
import type { actionWords } from '../words.ts'
import { CopyTool, DownloadTool } from './tools.tsx'

/** Loaded when opened: most visits need none of them. */
const ReplaceDialog = lazy(() => import('../replace/replace-dialog.tsx'))
const ShareDialog = lazy(async () => ({
  default: (await import('../../pages/shares/create-dialog.tsx')).CreateDialog,
}))

type Words = (typeof actionWords)['de']
type Word = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words]

/** What commands need from their page. */
export interface CommandPage {
  actions: Actions
  copy: Copy
  copyPicture(file: FileAnswer): Promise<void>
  download: Download
  details(file: FileAnswer): void
  preview(file: FileAnswer): void
  enter(folder: string): void
  /** Shows the folder above the tree. */
  pin(folder: string): void
  /** Replaces the rename dialog, such as in the details. */
  rename?(): void
  /** Called instead of the usual removal, if more is to be done: the viewer then shows the next file. */
  remove?(target: Target): void
  /** Opens a dialog; at most one is open. */
  ask(dialog: (onClose: () => void) => ReactNode): void
}

export interface Command {
  icon: Icon
  /** The least role that may run it. */
  role: Role
  word: Word | ((target: Target) => Word)
  /** The target: exactly one file; named files; named files or a whole result. */
  files?: 'one' | 'named' | 'any'
  /** A further condition on the one file. */
  fits?(file: FileAnswer): boolean
  /** Any folder; one that may get files; all but the top; one that may be renamed and moved. */
  folder?: 'any' | 'target' | 'below' | 'movable'
  /** The command's section in the menu of files, and in the menu of a folder. */
  part: number | readonly [files: number, folder: number]
  /** The command deletes something. */
  danger?: true
  keys?: string
  /** The text in the list of shortcuts, if the menu's text is too short. */
  keyWord?: Word
  /** Shown in the selection bar, with this word instead of the menu's if given. */
  bar?: true | Word
  /** In a file's details: the main button, an icon beside it, or a button below. */
  panel?: 'main' | 'sign' | 'button'
  /** In the viewer's head: an icon, or a button of its own. All commands are in its menu. */
  viewer?: true | ComponentType<{ file: FileAnswer; label: string }>
  /** A link instead of something to run. */
  href?(file: FileAnswer): string
  run?(target: Target, page: CommandPage): void
  variants?: Variants
}

/** The variants of a command, shown as a submenu. */
interface Variants {
  word: Word
  icon?: Icon
  /** The command itself runs the first variant. */
  hasDefault?: true
  items: readonly { word: Word; run(target: Target, page: CommandPage): void }[]
  /** A variant for each of the configured sizes of pictures, and one for all of them (null). */
  sized?(size: PictureSize | null, target: Target, page: CommandPage): void
}

const withOne =
  (run: (file: FileAnswer, page: CommandPage) => void) => (target: Target, page: CommandPage) => {
    const file = oneOf(target)
    if (file) run(file, page)
  }
const withFolder =
  (run: (folder: string, page: CommandPage) => void) => (target: Target, page: CommandPage) => {
    if (isFolder(target)) run(target, page)
  }

/** In the order of selection bar, details and viewer; a menu sorts by section first. */
export const COMMANDS = {
  copy: {
    icon: IconCopy,
    role: 'ansicht',
    word: target => (oneOf(target) ? 'copyAddress' : 'copyAddresses'),
    files: 'named',
    part: 1,
    keys: 'c',
    keyWord: 'copyAddress',
    bar: true,
    panel: 'main',
    viewer: CopyTool,
    run: (target, page) => void page.copy(filesOf(target)),
    variants: {
      word: 'copyAs',
      hasDefault: true,
      items: COPY_FORMS.map(form => ({
        word: form,
        run: (target, page) => void page.copy(filesOf(target), form),
      })),
      sized(size, target, page) {
        const files = filesOf(target).filter(hasSizes)
        if (!size) void page.copy(files, 'responsive')
        else void page.copy(files.map(file => ({ ...file, url: addressIn(size, file) })))
      },
    },
  },
  copyPicture: {
    icon: IconPhotoShare,
    role: 'ansicht',
    word: 'copyPicture',
    files: 'one',
    fits: mayCopyPicture,
    part: 1,
    keys: 'shift+c',
    run: withOne((file, page) => void page.copyPicture(file)),
  },
  details: {
    icon: IconInfoCircle,
    role: 'ansicht',
    word: 'details',
    files: 'one',
    part: 2,
    keys: 'Enter',
    keyWord: 'keyOpen',
    run: withOne((file, page) => page.details(file)),
  },
  preview: {
    icon: IconEye,
    role: 'ansicht',
    word: 'preview',
    files: 'one',
    part: 2,
    keys: ' ',
    keyWord: 'keyPreview',
    run: withOne((file, page) => page.preview(file)),
  },
  openAddress: {
    icon: IconExternalLink,
    role: 'ansicht',
    word: 'openAddress',
    files: 'one',
    part: 2,
    href: ({ url }) => url,
  },
  enter: {
    icon: IconFolderOpen,
    role: 'ansicht',
    word: 'open',
    folder: 'any',
    part: 1,
    run: withFolder((folder, page) => page.enter(folder)),
  },
  upload: {
    icon: IconUpload,
    role: 'redaktion',
    word: 'uploadHere',
    folder: 'target',
    part: 1,
    run: withFolder(folder => void chooseFiles(folder)),
  },
  newFolder: {
    icon: IconFolderPlus,
    role: 'redaktion',
    word: 'newFolder',
    folder: 'target',
    part: 1,
    run: withFolder((parent, { ask, enter }) =>
      ask(onClose => <NewFolderDialog parent={parent} onMade={enter} onClose={onClose} />),
    ),
  },
  rename: {
    icon: IconCursorText,
    role: 'redaktion',
    word: 'rename',
    files: 'one',
    folder: 'movable',
    part: 2,
    keys: 'r',
    panel: 'button',
    viewer: true,
    run: (target, { rename, ask }) =>
      rename ? rename() : ask(onClose => <RenameDialog target={target} onClose={onClose} />),
  },
  replaceFile: {
    icon: IconFileUpload,
    role: 'redaktion',
    word: 'replaceFile',
    files: 'one',
    part: 2,
    panel: 'button',
    run: withOne(({ path }) => void chooseReplacement(path)),
  },
  download: {
    icon: IconDownload,
    role: 'ansicht',
    word: target => (oneOf(target) ? 'download' : 'downloadZip'),
    files: 'any',
    folder: 'any',
    part: [2, 1],
    bar: 'download',
    panel: 'sign',
    viewer: DownloadTool,
    run: (target, page) => page.download.files(target),
    variants: {
      word: 'exportList',
      icon: IconTableExport,
      items: EXPORT_FORMATS.map(format => ({
        word: format,
        run: (target, page) => page.download.list(target, format),
      })),
    },
  },
  pin: {
    icon: IconPin,
    role: 'ansicht',
    word: 'pin',
    folder: 'below',
    part: 1,
    run: withFolder((folder, { pin }) => pin(folder)),
  },
  share: {
    icon: IconShare2,
    role: 'redaktion',
    word: 'share',
    folder: 'below',
    part: 1,
    run: withFolder((folder, { ask }) =>
      ask(onClose => <ShareDialog opened folder={folder} isSettled onClose={onClose} />),
    ),
  },
  move: {
    icon: IconFolderSymlink,
    role: 'redaktion',
    word: 'move',
    files: 'any',
    folder: 'movable',
    part: 2,
    keys: 'm',
    bar: true,
    panel: 'button',
    viewer: true,
    run: (target, { ask }) => ask(onClose => <MoveDialog target={target} onClose={onClose} />),
  },
  replace: {
    icon: IconReplace,
    role: 'redaktion',
    word: 'replace',
    files: 'any',
    folder: 'any',
    part: [2, 1],
    bar: true,
    run: (target, { ask }) => ask(onClose => <ReplaceDialog target={target} onClose={onClose} />),
  },
  remove: {
    icon: IconTrash,
    role: 'redaktion',
    word: 'remove',
    files: 'any',
    folder: 'below',
    part: [3, 2],
    danger: true,
    keys: 'Delete',
    bar: true,
    panel: 'button',
    viewer: true,
    run: (target, { remove, actions }) => void (remove ?? actions.remove)(target),
  },
} as const satisfies Record<string, Command>

export const COMMAND_LIST: readonly Command[] = Object.values(COMMANDS)

type WithKeys = Command & { keys: string }
/** Those that the account may run. */
export const keyCommands = () =>
  COMMAND_LIST.filter((command): command is WithKeys => command.keys !== undefined && may(command.role))

/** Runs a shortcut for this target; false if the target has no such command. */
export function runKey(keys: string, target: Target, page: CommandPage): boolean {
  const command = keyCommands().find(each => each.keys === keys && applies(each, target))
  command?.run?.(target, page)
  return command !== undefined
}

const FITS: Readonly<Record<NonNullable<Command['folder']>, (folder: string) => boolean>> = {
  any: () => true,
  target: mayPutInto,
  below: folder => folder !== '',
  movable: mayMoveFolder,
}

export function applies({ role, files, fits, folder }: Command, target: Target): boolean {
  if (!may(role)) return false
  if (isFolder(target)) return folder !== undefined && FITS[folder](target)
  if (files === 'one') {
    const file = oneOf(target)
    return file !== undefined && (fits?.(file) ?? true)
  }
  return files === 'any' || (files === 'named' && filesOf(target).length > 0)
}

/** The commands for this target, by section of its menu. */
export function menuOf(target: Target, without?: Command): readonly (readonly Command[])[] {
  const partOf = ({ part }: Command) => (typeof part === 'number' ? part : part[isFolder(target) ? 1 : 0])
  const parts = Map.groupBy(
    COMMAND_LIST.filter(command => command !== without && applies(command, target)),
    partOf,
  )
  return [...parts].toSorted(([a], [b]) => a - b).map(([, commands]) => commands)
}

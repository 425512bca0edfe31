/**
 * Every command on files and folders is defined here once: icon, words, shortcut, target, where it is shown,
 * and what it does. Menus, selection bar, details, viewer, shortcuts and the list of shortcuts are generated
 * from this list. A new command is an entry here and its words in `words.ts`.
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
import { filesOf, isFolder, singleFileOf, type Target } from '../target.ts'
import type { FileAnswer } from '../types.ts'
import type { actionWords } from '../words.ts'
import { CopyTool, DownloadTool } from './tools.tsx'

/** These dialogs are loaded when they are opened, since most visits need none of them. */
const ReplaceDialog = lazy(() => import('../replace/replace-dialog.tsx'))
const ShareDialog = lazy(async () => ({
  default: (await import('../../pages/shares/create-dialog.tsx')).CreateDialog,
}))

type Words = (typeof actionWords)['de']
type Word = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words]

/** The functions of the page that commands call. */
export interface CommandPage {
  actions: Actions
  copy: Copy
  copyPicture(file: FileAnswer): Promise<void>
  download: Download
  details(file: FileAnswer): void
  preview(file: FileAnswer): void
  enter(folder: string): void
  /** Pins the folder above the tree. */
  pin(folder: string): void
  /** Called in place of the rename dialog, for example by the details, which have a field for the name. */
  rename?(): void
  /** Called in place of the usual removal: the viewer then also shows the next file. */
  remove?(target: Target): void
  /** Opens a dialog. At most one is open at a time. */
  ask(dialog: (onClose: () => void) => ReactNode): void
}

export interface Command {
  icon: Icon
  /** The lowest role that may run the command. */
  role: Role
  word: Word | ((target: Target) => Word)
  /**
   * The files that the command accepts as target: `one` exactly one file, `named` listed files, `any` listed
   * files or a whole result.
   */
  files?: 'one' | 'named' | 'any'
  /** A further condition on the one file. */
  fits?(file: FileAnswer): boolean
  /**
   * The folders that the command accepts as target: `any` folder, `target` one that can receive files,
   * `below` all but the top folder, `movable` one that can be renamed and moved.
   */
  folder?: 'any' | 'target' | 'below' | 'movable'
  /**
   * The number of the section of the menu in which the command is listed; for a folder, the section may
   * differ.
   */
  part: number | readonly [files: number, folder: number]
  /** Whether the command deletes something. */
  danger?: true
  keys?: string
  /** The text in the list of shortcuts, if it differs from that of the menu. */
  keyWord?: Word
  /** Whether the command is in the selection bar; a word here replaces that of the menu. */
  bar?: true | Word
  /**
   * How the details of a file show the command: as the main button, as an icon beside it, or as a button
   * below.
   */
  panel?: 'main' | 'sign' | 'button'
  /**
   * How the header of the viewer shows the command: as an icon, or by a component of its own. The menu of the
   * viewer contains all commands.
   */
  viewer?: true | ComponentType<{ file: FileAnswer; label: string }>
  /** The address, for a command that is a link. Such a command has no `run`. */
  href?(file: FileAnswer): string
  run?(target: Target, page: CommandPage): void
  variants?: Variants
}

/** The variants of a command, shown as a submenu. */
interface Variants {
  word: Word
  icon?: Icon
  /** Whether the command itself runs the first variant. */
  hasDefault?: true
  items: readonly { word: Word; run(target: Target, page: CommandPage): void }[]
  /** If set, there is also a variant for each configured picture size, and one for all of them (null). */
  sized?(size: PictureSize | null, target: Target, page: CommandPage): void
}

const withOne =
  (run: (file: FileAnswer, page: CommandPage) => void) => (target: Target, page: CommandPage) => {
    const file = singleFileOf(target)
    if (file) run(file, page)
  }
const withFolder =
  (run: (folder: string, page: CommandPage) => void) => (target: Target, page: CommandPage) => {
    if (isFolder(target)) run(target, page)
  }

/**
 * The commands, in the order of the selection bar, the details and the viewer. A menu sorts by section first.
 */
export const COMMANDS = {
  copy: {
    icon: IconCopy,
    role: 'ansicht',
    word: target => (singleFileOf(target) ? 'copyAddress' : 'copyAddresses'),
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
    word: target => (singleFileOf(target) ? 'download' : 'downloadZip'),
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
/** The commands with a shortcut that the account may run. */
export const keyCommands = () =>
  COMMAND_LIST.filter((command): command is WithKeys => command.keys !== undefined && may(command.role))

/**
 * Runs the command of a shortcut on this target; false if no command of this shortcut applies to the target.
 */
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
    const file = singleFileOf(target)
    return file !== undefined && (fits?.(file) ?? true)
  }
  return files === 'any' || (files === 'named' && filesOf(target).length > 0)
}

/** The commands for this target, grouped by the sections of its menu. */
export function menuOf(target: Target, without?: Command): readonly (readonly Command[])[] {
  const partOf = ({ part }: Command) => (typeof part === 'number' ? part : part[isFolder(target) ? 1 : 0])
  const parts = Map.groupBy(
    COMMAND_LIST.filter(command => command !== without && applies(command, target)),
    partOf,
  )
  return [...parts].toSorted(([a], [b]) => a - b).map(([, commands]) => commands)
}

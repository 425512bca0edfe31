/**
 * Every command on files and folders is defined here once: icon, texts, shortcut, accepted targets, where it
 * is shown, and what it does. Menus, cards, selection bar, details, viewer, shortcuts and the list of
 * shortcuts are generated from `COMMANDS`. A new command needs an entry in `COMMANDS`, with an icon that no
 * other command has, and its texts in `actionWords` (texts that other pages need too are in `COMMON_WORDS`).
 * If it does what `PageFunctions` does not have yet, that function is added there. Its keys must not be those
 * of the gallery (`use-gallery-keys.ts`) or the viewer (`use-viewer-keys.ts`).
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
import { lazy } from 'react'
import type { Role } from '../../../../src/contract/accounts/roles.ts'
import { EXPORT_FORMATS } from '../../../../src/contract/files/choices.ts'
import type { PictureSize } from '../../../../src/contract/files/picture-sizes.ts'
import { hasMinimumRole, mayAddFiles, mayMoveFolder } from '../../state/rights.ts'
import type { ContentSources } from '../../ui/files/content.ts'
import { chooseFiles, chooseReplacement } from '../../uploads/uploads.ts'
import { addressInSize, COPY_FORMATS, hasPictureSizes } from '../actions/copy-forms.ts'
import { canCopyPicture } from '../actions/copy-picture.ts'
import { MoveDialog } from '../actions/move-dialog.tsx'
import { NewFolderDialog } from '../actions/new-folder-dialog.tsx'
import { RenameDialog } from '../actions/rename-dialog.tsx'
import type { PageFunctions } from '../files-context.ts'
import { filesOf, isFolder, singleFileOf, type Target } from '../target.ts'
import type { FileAnswer } from '../types.ts'
import type { ActionTexts } from '../words.ts'

/** The code of these dialogs is loaded when they are opened, since most visits need none of them. */
const ReplaceDialog = lazy(() => import('../replace/replace-dialog.tsx'))
const ShareDialog = lazy(async () => ({
  default: (await import('../../pages/shares/create-dialog.tsx')).CreateShareDialog,
}))

/** The names of the texts that are plain strings, without values to insert. */
type TextName = {
  [Name in keyof ActionTexts]: ActionTexts[Name] extends string ? Name : never
}[keyof ActionTexts]

export interface Command {
  icon: Icon
  /** The lowest role that may run the command. */
  role: Role
  textName: TextName | ((target: Target) => TextName)
  /**
   * The files that the command accepts; none if not set. `one`: exactly one file. `named`: any number of
   * individual files. `any`: any number of individual files, or the whole result of the list.
   */
  files?: 'one' | 'named' | 'any'
  /** A further condition on the file, if `files` is `one`. */
  acceptsFile?(file: FileAnswer): boolean
  /**
   * The folders that the command accepts; none if not set. `any`: every folder. `target`: those into which
   * the account may put files. `below`: all but the top folder. `movable`: those that can be renamed and
   * moved.
   */
  folder?: 'any' | 'target' | 'below' | 'movable'
  /**
   * The number of the menu section that contains the command. With two numbers, the first is for files and
   * the second for a folder.
   */
  section: number | readonly [files: number, folder: number]
  /** Whether the command deletes something. */
  danger?: true
  keys?: string
  /** The text in the list of shortcuts, if it differs from that in the menu. */
  shortcutTextName?: TextName
  /**
   * Whether the command is in the selection bar. If this is the name of a text, the bar shows that text in
   * place of the menu text.
   */
  inSelectionBar?: true | TextName
  /** How the details of a file show the command: as main button, as icon beside it, or as button below. */
  inDetails?: 'main' | 'icon' | 'button'
  /** Whether the cards of the gallery have an icon button for the command. */
  inCards?: true | TickButton
  /**
   * Whether the header of the viewer has an icon button for the command. The menu of the viewer contains
   * every command that applies to one file, except `preview`.
   */
  inViewer?: true | ViewerButton
  /** Returns the address, for a command that is a link. Such a command has no `run`. */
  href?(file: FileAnswer): string
  run?(target: Target, page: PageFunctions): void
  variants?: CommandVariants
}

/** A button that shows a tick in place of a notice. */
interface TickButton {
  /** Called in place of the `run` of the command; resolves to whether the button shows the tick. */
  run(file: FileAnswer, page: PageFunctions): Promise<boolean>
  /** The accessible name of the button while it shows the tick. */
  tickText(texts: ActionTexts): string
}

/** A button of the viewer that does not call the `run` of the command. One of the functions is set. */
export interface ViewerButton {
  /** Returns the text that the button copies. */
  copiedText?(file: FileAnswer): string
  /** Returns the address for a link that downloads the file; undefined while it is not known. */
  downloadHref?(file: FileAnswer, sources: ContentSources): string | undefined
}

/** The variants of a command, shown in a menu of their own. */
interface CommandVariants {
  textName: TextName
  icon?: Icon
  /** Whether the command itself runs the first variant. */
  runsFirstVariant?: true
  items: readonly { textName: TextName; run(target: Target, page: PageFunctions): void }[]
  /**
   * If set, a target with pictures or videos has further variants: one for each configured picture size, and
   * one for all sizes together (`size` is null).
   */
  runInSize?(size: PictureSize | null, target: Target, page: PageFunctions): void
}

const runOnSingleFile =
  (run: (file: FileAnswer, page: PageFunctions) => void) => (target: Target, page: PageFunctions) => {
    const file = singleFileOf(target)
    if (file) run(file, page)
  }
const runOnFolder =
  (run: (folder: string, page: PageFunctions) => void) => (target: Target, page: PageFunctions) => {
    if (isFolder(target)) run(target, page)
  }

/**
 * The commands, in the order in which selection bar, details and viewer show them. Menus are sorted by
 * section first.
 */
export const COMMANDS = {
  copy: {
    icon: IconCopy,
    role: 'ansicht',
    textName: target => (singleFileOf(target) ? 'copyAddress' : 'copyAddresses'),
    files: 'named',
    section: 1,
    keys: 'c',
    shortcutTextName: 'copyAddress',
    inSelectionBar: true,
    inDetails: 'main',
    inCards: {
      run: (file, page) => page.copy([file], 'text', { noticeName: null }),
      tickText: ({ copied }) => copied(1, '1'),
    },
    inViewer: { copiedText: ({ url }) => url },
    run: (target, page) => void page.copy(filesOf(target)),
    variants: {
      textName: 'copyAs',
      runsFirstVariant: true,
      items: COPY_FORMATS.map(format => ({
        textName: format,
        run: (target, page) => void page.copy(filesOf(target), format),
      })),
      runInSize(size, target, page) {
        const files = filesOf(target).filter(hasPictureSizes)
        if (!size) void page.copy(files, 'responsive')
        else void page.copy(files.map(file => ({ ...file, url: addressInSize(size, file) })))
      },
    },
  },
  copyPicture: {
    icon: IconPhotoShare,
    role: 'ansicht',
    textName: 'copyPicture',
    files: 'one',
    acceptsFile: canCopyPicture,
    section: 1,
    keys: 'shift+c',
    run: runOnSingleFile((file, page) => void page.copyPicture(file)),
  },
  details: {
    icon: IconInfoCircle,
    role: 'ansicht',
    textName: 'details',
    files: 'one',
    section: 2,
    keys: 'Enter',
    shortcutTextName: 'keyOpen',
    run: runOnSingleFile((file, page) => page.showDetails(file)),
  },
  preview: {
    icon: IconEye,
    role: 'ansicht',
    textName: 'preview',
    files: 'one',
    section: 2,
    keys: ' ',
    shortcutTextName: 'keyPreview',
    run: runOnSingleFile((file, page) => page.showPreview(file)),
  },
  openAddress: {
    icon: IconExternalLink,
    role: 'ansicht',
    textName: 'openAddress',
    files: 'one',
    section: 2,
    inCards: true,
    href: ({ url }) => url,
  },
  enter: {
    icon: IconFolderOpen,
    role: 'ansicht',
    textName: 'open',
    folder: 'any',
    section: 1,
    run: runOnFolder((folder, page) => page.openFolder(folder)),
  },
  upload: {
    icon: IconUpload,
    role: 'redaktion',
    textName: 'uploadHere',
    folder: 'target',
    section: 1,
    run: runOnFolder(folder => void chooseFiles(folder)),
  },
  newFolder: {
    icon: IconFolderPlus,
    role: 'redaktion',
    textName: 'newFolder',
    folder: 'target',
    section: 1,
    run: runOnFolder((parent, { openDialog, openFolder }) =>
      openDialog(onClose => <NewFolderDialog parent={parent} onCreated={openFolder} onClose={onClose} />),
    ),
  },
  rename: {
    icon: IconCursorText,
    role: 'redaktion',
    textName: 'rename',
    files: 'one',
    folder: 'movable',
    section: 2,
    keys: 'r',
    inDetails: 'button',
    inViewer: true,
    run: (target, { rename, openDialog }) =>
      rename ? rename() : openDialog(onClose => <RenameDialog target={target} onClose={onClose} />),
  },
  replaceFile: {
    icon: IconFileUpload,
    role: 'redaktion',
    textName: 'replaceFile',
    files: 'one',
    section: 2,
    inDetails: 'button',
    run: runOnSingleFile(({ path }) => void chooseReplacement(path)),
  },
  download: {
    icon: IconDownload,
    role: 'ansicht',
    textName: target => (singleFileOf(target) ? 'download' : 'downloadZip'),
    files: 'any',
    folder: 'any',
    section: [2, 1],
    inSelectionBar: 'download',
    inDetails: 'icon',
    inViewer: { downloadHref: ({ path }, sources) => sources.addressOfFile(path) },
    run: (target, page) => page.download.downloadFiles(target),
    variants: {
      textName: 'exportList',
      icon: IconTableExport,
      items: EXPORT_FORMATS.map(format => ({
        textName: format,
        run: (target, page) => page.download.exportList(target, format),
      })),
    },
  },
  pin: {
    icon: IconPin,
    role: 'ansicht',
    textName: 'pin',
    folder: 'below',
    section: 1,
    run: runOnFolder((folder, { pin }) => pin(folder)),
  },
  share: {
    icon: IconShare2,
    role: 'redaktion',
    textName: 'share',
    folder: 'below',
    section: 1,
    run: runOnFolder((folder, { openDialog }) =>
      openDialog(onClose => <ShareDialog opened folder={folder} isFolderFixed onClose={onClose} />),
    ),
  },
  move: {
    icon: IconFolderSymlink,
    role: 'redaktion',
    textName: 'move',
    files: 'any',
    folder: 'movable',
    section: 2,
    keys: 'm',
    inSelectionBar: true,
    inDetails: 'button',
    inViewer: true,
    run: (target, { openDialog }) => openDialog(onClose => <MoveDialog target={target} onClose={onClose} />),
  },
  replace: {
    icon: IconReplace,
    role: 'redaktion',
    textName: 'replace',
    files: 'any',
    folder: 'any',
    section: [2, 1],
    inSelectionBar: true,
    run: (target, { openDialog }) =>
      openDialog(onClose => <ReplaceDialog target={target} onClose={onClose} />),
  },
  remove: {
    icon: IconTrash,
    role: 'redaktion',
    textName: 'remove',
    files: 'any',
    folder: 'below',
    section: [3, 2],
    danger: true,
    keys: 'Delete',
    inSelectionBar: true,
    inDetails: 'button',
    inViewer: true,
    run: (target, { remove, actions }) => void (remove ?? actions.remove)(target),
  },
} as const satisfies Record<string, Command>

export const COMMAND_LIST: readonly Command[] = Object.values(COMMANDS)

type CommandWithKeys = Command & { keys: string }
/** The commands that have a shortcut and that the account may run. */
export const commandsWithShortcut = () =>
  COMMAND_LIST.filter(
    (command): command is CommandWithKeys => command.keys !== undefined && hasMinimumRole(command.role),
  )

/** Runs the command with this shortcut on the target; returns false if there is none that applies to it. */
export function runCommandByKeys(keys: string, target: Target, page: PageFunctions): boolean {
  const command = commandsWithShortcut().find(
    candidate => candidate.keys === keys && appliesTo(candidate, target),
  )
  command?.run?.(target, page)
  return command !== undefined
}

const FOLDER_CONDITIONS: Readonly<Record<NonNullable<Command['folder']>, (folder: string) => boolean>> = {
  any: () => true,
  target: mayAddFiles,
  below: folder => folder !== '',
  movable: mayMoveFolder,
}

/** Whether the account may run the command, and the command accepts this target. */
export function appliesTo({ role, files, acceptsFile, folder }: Command, target: Target): boolean {
  if (!hasMinimumRole(role)) return false
  if (isFolder(target)) return folder !== undefined && FOLDER_CONDITIONS[folder](target)
  if (files === 'one') {
    const file = singleFileOf(target)
    return file !== undefined && (acceptsFile?.(file) ?? true)
  }
  return files === 'any' || (files === 'named' && filesOf(target).length > 0)
}

/** The commands that apply to this target, except `excludedCommand`, grouped by the sections of the menu. */
export function menuSections(target: Target, excludedCommand?: Command): readonly (readonly Command[])[] {
  const sectionOf = ({ section }: Command) =>
    typeof section === 'number' ? section : section[isFolder(target) ? 1 : 0]
  const sections = Map.groupBy(
    COMMAND_LIST.filter(command => command !== excludedCommand && appliesTo(command, target)),
    sectionOf,
  )
  return [...sections].toSorted(([a], [b]) => a - b).map(([, commands]) => commands)
}

/**
 * The state that the components of the files page share. It does not include the address: each component
 * reads it itself (`useFilesAddress`).
 */
import { createContext, type ReactNode, useContext } from 'react'
import type { DownloadActions } from './actions/download.ts'
import type { Actions } from './actions/use-actions.ts'
import type { CopyAddresses } from './actions/use-copy.ts'
import type { OpenedFile } from './details/use-opened-file.ts'
import type { Listing } from './listing/use-listing.ts'
import type { FileSelection, Target } from './target.ts'
import type { FileAnswer } from './types.ts'
import type { SetViewOptions, ViewOptions } from './view-options.ts'
import type { ViewerState } from './viewer/use-viewer.ts'

export interface FilesPage {
  listing: Listing
  viewOptions: ViewOptions
  setViewOptions: SetViewOptions
  selection: FileSelection
  /** The file that the details show. */
  openedFile: OpenedFile & { close(): void }
  viewer: ViewerState
  commands: PageFunctions
  openMenu(menu: ContextMenuState): void
  /** Moves a target that was dropped on a folder, and shows refusals as notices. */
  moveTo(target: Target, folder: string): void
}

/** The functions of the page that commands call. */
export interface PageFunctions {
  actions: Actions
  copy: CopyAddresses
  copyPicture(file: FileAnswer): Promise<void>
  download: DownloadActions
  showDetails(file: FileAnswer): void
  showPreview(file: FileAnswer): void
  openFolder(folder: string): void
  /** Adds the folder to the pinned folders, which are shown above the tree. */
  pin(folder: string): void
  /**
   * If set, called instead of opening the rename dialog. The details set it, because they have a field for
   * the new name.
   */
  rename?(): void
  /**
   * If set, called instead of `actions.remove`. The viewer sets it in order to show the next file as well.
   */
  remove?(target: Target): void
  /** Opens a dialog. At most one is open at a time. */
  openDialog(createDialog: (onClose: () => void) => ReactNode): void
}

export interface ContextMenuState {
  target: Target
  x: number
  y: number
  /** The element to which the focus returns when the menu is closed. */
  returnFocusTo: Element | null
}

export const FilesPageContext = createContext<FilesPage | null>(null)

export function useFilesPage(): FilesPage {
  const page = useContext(FilesPageContext)
  if (!page) throw new Error('This is no part of the files page.')
  return page
}

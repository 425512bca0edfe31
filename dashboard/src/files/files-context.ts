/**
 * The state that the components of the files page share. It does not include the address: each component
 * reads it itself (`useFilesAddress`).
 */
import { createContext, useContext } from 'react'
import type { ViewerState } from '../viewer/use-viewer.ts'
import type { OpenMenu } from './commands/command-menu.tsx'
import type { PageFunctions } from './commands/commands.tsx'
import type { OpenedFile } from './details/use-opened.ts'
import type { Listing } from './listing/use-listing.ts'
import type { FileSelection, Target } from './target.ts'
import type { SetViewOptions, ViewOptions } from './view-options.ts'

export interface FilesPage {
  listing: Listing
  viewOptions: ViewOptions
  setViewOptions: SetViewOptions
  selection: FileSelection
  /** The file that the details show. */
  openedFile: OpenedFile & { close(): void }
  viewer: ViewerState
  commands: PageFunctions
  openMenu(menu: OpenMenu): void
  /** Moves a target that was dropped on a folder, and shows refusals as notices. */
  moveTo(target: Target, folder: string): void
}

/** The id of the element with the details, by which it is focused. */
export const DETAILS_ID = 'einzelheiten'

export const FilesPageContext = createContext<FilesPage | null>(null)

export function useFilesPage(): FilesPage {
  const page = useContext(FilesPageContext)
  if (!page) throw new Error('This is no part of the files page.')
  return page
}

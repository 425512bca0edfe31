/** The target of a command: selected files, the whole result of the list, or a folder. */
import type { z } from 'zod'
import type { resultQuery } from '../../../src/contract/files/library.ts'
import { folderOf, isWithin } from '../state/paths.ts'
import type { Selection } from '../state/selection.ts'
import type { FileAnswer } from './types.ts'

export interface WholeResult {
  /** The folder, search and filters of the list. */
  query: z.input<typeof resultQuery>
  total: number
}

export type FileTarget = readonly FileAnswer[] | WholeResult
/** A string is the path of a folder; it is empty for the top folder. */
export type Target = FileTarget | string

export type FileSelection = Selection<FileAnswer, WholeResult>

export const isFolder = (target: Target): target is string => typeof target === 'string'

export const isWholeResult = (target: Target): target is WholeResult => !isFolder(target) && 'total' in target

/** The number of files; 0 for a folder, where it is unknown. */
export const fileCountOf = (target: Target) => (isWholeResult(target) ? target.total : filesOf(target).length)

/** The selected files; empty for a whole result and for a folder. */
export const filesOf = (target: Target): readonly FileAnswer[] =>
  isFolder(target) || isWholeResult(target) ? [] : target

/** The selected file if there is exactly one; otherwise undefined. */
export const singleFileOf = (target: Target) => {
  const files = filesOf(target)
  return files.length === 1 ? files[0] : undefined
}

const pathsOf = (files: readonly FileAnswer[]) => files.map(({ path }) => path)

/**
 * The request body for routes that change files. For a whole result it contains the number of files. If the
 * number has changed, the service refuses the request, since the user has not seen the new files.
 */
export const bodyForChange = (target: FileTarget) =>
  isWholeResult(target) ? { treffer: { ...target.query, gesamt: target.total } } : { pfade: pathsOf(target) }

/** The request body for routes that return files. */
export const bodyForReading = (target: FileTarget) =>
  isWholeResult(target) ? { treffer: target.query } : { pfade: pathsOf(target) }

/**
 * Whether moving the target into `folder` is possible and would change something. A folder cannot be moved
 * into itself, its subfolders or the folder that already contains it. At least one of the files must be in
 * another folder. Always true for a whole result, whose paths are not known.
 */
export function mayMove(target: Target, folder: string): boolean {
  if (isFolder(target)) return !isWithin(folder, target) && folderOf(target) !== folder
  return isWholeResult(target) || target.some(({ path }) => folderOf(path) !== folder)
}

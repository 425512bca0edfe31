/** What a command is about: files that were chosen one by one, the whole result of the list on all its pages, or a folder. */
import type { z } from 'zod'
import type { resultQuery } from '../../../src/contract/files/library.ts'
import { folderOf, isWithin } from '../state/paths.ts'
import type { Selection } from '../state/selection.ts'
import type { FileAnswer } from './types.ts'

export interface WholeResult {
  /** Folder, search and filters, as the list was asked for. */
  query: z.input<typeof resultQuery>
  total: number
}

export type FileTarget = readonly FileAnswer[] | WholeResult
/** A folder is named by its path; the top is empty. */
export type Target = FileTarget | string

export type FileSelection = Selection<FileAnswer, WholeResult>

export const isFolder = (target: Target): target is string => typeof target === 'string'

export const isWhole = (target: Target): target is WholeResult => !isFolder(target) && 'total' in target

/** Of a folder nobody knows. */
export const countOf = (target: Target) => (isWhole(target) ? target.total : filesOf(target).length)

/** The files one by one; of a whole result and of a folder none are named. */
export const filesOf = (target: Target): readonly FileAnswer[] =>
  isFolder(target) || isWhole(target) ? [] : target

/** The file where it is about a single one. */
export const oneOf = (target: Target) => {
  const files = filesOf(target)
  return files.length === 1 ? files[0] : undefined
}

const pathsOf = (files: readonly FileAnswer[]) => files.map(({ path }) => path)

/** For routes that change files: they compare the count, so that nothing is swept in that nobody has seen. */
export const changeBody = (target: FileTarget) =>
  isWhole(target) ? { treffer: { ...target.query, gesamt: target.total } } : { pfade: pathsOf(target) }

/** For routes that hand files out. */
export const readBody = (target: FileTarget) =>
  isWhole(target) ? { treffer: target.query } : { pfade: pathsOf(target) }

/** A folder cannot be moved into itself, and nothing to where it already lies. */
export function mayMove(target: Target, folder: string): boolean {
  if (isFolder(target)) return !isWithin(folder, target) && folderOf(target) !== folder
  return isWhole(target) || target.some(({ path }) => folderOf(path) !== folder)
}

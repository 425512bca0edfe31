/** What an action is about: files that were chosen one by one, or the whole result of the list, on all its pages. */
import type { z } from 'zod'
import type { resultQuery } from '../../../../../src/contract/library.ts'
import type { FileAnswer } from '../types.ts'

export interface WholeResult {
  /** Folder, search and filters, as the list was asked for. */
  query: z.input<typeof resultQuery>
  total: number
}

export type Meant = readonly FileAnswer[] | WholeResult

export const isWhole = (meant: Meant): meant is WholeResult => 'total' in meant

export const countOf = (meant: Meant) => (isWhole(meant) ? meant.total : meant.length)

/** The files one by one; of a whole result none are named. */
export const filesOf = (meant: Meant) => (isWhole(meant) ? [] : meant)

const pathsOf = (files: readonly FileAnswer[]) => files.map(({ path }) => path)

/** For routes that change files: they compare the count, so that nothing is swept in that nobody has seen. */
export const changeBody = (meant: Meant) =>
  isWhole(meant) ? { treffer: { ...meant.query, gesamt: meant.total } } : { pfade: pathsOf(meant) }

/** For routes that hand files out. */
export const readBody = (meant: Meant) =>
  isWhole(meant) ? { treffer: meant.query } : { pfade: pathsOf(meant) }

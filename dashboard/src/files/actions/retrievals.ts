/** How often the addresses of files were retrieved, which is shown before and after the addresses change. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { useTexts } from '../../language/language.tsx'
import { filesOf, isFolder, isWhole, type Target, type WholeResult } from '../target.ts'
import type { FileAnswer, LibraryAnswer } from '../types.ts'
import { retrievalWords } from '../words.ts'

export interface Retrievals {
  files: number
  times: number
  /** Whether `times` is exact: false if not all files were counted and the other ones were retrieved too. */
  exact: boolean
}

export const retrievalsOf = (files: readonly FileAnswer[]): Retrievals => ({
  files: files.length,
  times: files.reduce((sum, { abrufe }) => sum + abrufe, 0),
  exact: true,
})

type Result = WholeResult['query']

/** The query sorts by retrievals, most first, so a single page is enough. */
const queryOf = (result: Result) =>
  ({ ...result, sortierung: 'abrufe', richtung: 'ab', anzahl: 200 }) as const

export function sumRetrievals({ dateien, gesamt }: Pick<LibraryAnswer, 'dateien' | 'gesamt'>): Retrievals {
  const { times } = retrievalsOf(dateien)
  const last = dateien.at(-1)
  return { files: gesamt, times, exact: gesamt <= dateien.length || last?.abrufe === 0 }
}

/**
 * This query has a key of its own, because lists are refetched after every change, when the folder may no
 * longer exist.
 */
const resultRetrievals = (result: Result) => ({
  queryKey: ['abrufe', result],
  queryFn: async () => sumRetrievals(await get('media', { query: queryOf(result) })),
})

/** The query for the files of a target; null if the files and so their counts are known. */
const resultOf = (target: Target): Result | null =>
  isFolder(target) ? { ordner: target, unterordner: '1' } : isWhole(target) ? target.query : null

/** Undefined until the answer has arrived. */
export function useRetrievals(target: Target): Retrievals | undefined {
  const result = resultOf(target)
  const { data } = useQuery({ ...resultRetrievals(result ?? {}), enabled: result !== null })
  return result ? data : retrievalsOf(filesOf(target))
}

export const fetchRetrievals = async (queries: QueryClient, target: Target): Promise<Retrievals> => {
  const result = resultOf(target)
  return result ? queries.fetchQuery(resultRetrievals(result)) : retrievalsOf(filesOf(target))
}

export function useRetrievalSentences() {
  const { w, format } = useTexts(retrievalWords)
  const sentence = (start: string, { times, exact }: Retrievals) =>
    times === 0
      ? w.never(start)
      : (exact ? w.exactly : w.atLeast)(start, w.times(times, format.number(times)))
  const follow = (said: (count: number, text: string) => string) => (retrievals: Retrievals) => {
    const { files } = retrievals
    return `${said(files, format.number(files))} ${sentence(w.it(files), retrievals)}`
  }
  return {
    /** „Die Adresse wurde bisher 1.204-mal abgerufen.“ */
    told: (retrievals: Retrievals) => sentence(w.address(retrievals.files), retrievals),
    /** „Die Adresse ändert sich. Sie wurde bisher 1.204-mal abgerufen.“ */
    before: follow(w.changes),
    /** „Die Adresse hat sich geändert. …“ */
    after: follow(w.changed),
  }
}

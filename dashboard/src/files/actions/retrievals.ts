/** The number of retrievals of files, which is shown before and after their addresses change. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { useTexts } from '../../language/language.tsx'
import { filesOf, isFolder, isWholeResult, type Target, type WholeResult } from '../target.ts'
import type { FileAnswer, LibraryAnswer } from '../types.ts'
import { retrievalWords } from '../words.ts'

export interface Retrievals {
  files: number
  times: number
  /**
   * Whether `times` is exact. If false, only the first page was summed, and further files may have retrievals
   * as well, so `times` is a lower bound.
   */
  isExact: boolean
}

export const retrievalsOf = (files: readonly FileAnswer[]): Retrievals => ({
  files: files.length,
  times: files.reduce((sum, { abrufe }) => sum + abrufe, 0),
  isExact: true,
})

type ResultQuery = WholeResult['query']

/**
 * The query for the first page of files, the most retrieved ones first. Files on further pages usually have
 * no retrievals.
 */
const mostRetrievedQuery = (result: ResultQuery) =>
  ({ ...result, sortierung: 'abrufe', richtung: 'ab', anzahl: 200 }) as const

export function sumRetrievals({ dateien, gesamt }: Pick<LibraryAnswer, 'dateien' | 'gesamt'>): Retrievals {
  const { times } = retrievalsOf(dateien)
  const leastRetrieved = dateien.at(-1)
  return { files: gesamt, times, isExact: gesamt <= dateien.length || leastRetrieved?.abrufe === 0 }
}

/**
 * The lists have query keys that begin with `media` and are refetched after every change. This query has
 * another key, because the folder may no longer exist after a change.
 */
const retrievalsQuery = (result: ResultQuery) => ({
  queryKey: ['abrufe', result],
  queryFn: async () => sumRetrievals(await get('media', { query: mostRetrievedQuery(result) })),
})

/** The query that lists the files of a target; null if the target already contains the files. */
const resultQueryOf = (target: Target): ResultQuery | null =>
  isFolder(target) ? { ordner: target, unterordner: '1' } : isWholeResult(target) ? target.query : null

/** The retrievals of a target; undefined until the answer has arrived. */
export function useRetrievals(target: Target): Retrievals | undefined {
  const result = resultQueryOf(target)
  const { data } = useQuery({ ...retrievalsQuery(result ?? {}), enabled: result !== null })
  return result ? data : retrievalsOf(filesOf(target))
}

export const fetchRetrievals = async (queries: QueryClient, target: Target): Promise<Retrievals> => {
  const result = resultQueryOf(target)
  return result ? queries.fetchQuery(retrievalsQuery(result)) : retrievalsOf(filesOf(target))
}

export function useRetrievalSentences() {
  const { w, format } = useTexts(retrievalWords)
  const sentenceOf = (start: string, { times, isExact }: Retrievals) =>
    times === 0
      ? w.never(start)
      : (isExact ? w.exactly : w.atLeast)(start, w.times(times, format.number(times)))
  const withIntroduction =
    (introduction: (count: number, text: string) => string) => (retrievals: Retrievals) => {
      const { files } = retrievals
      return `${introduction(files, format.number(files))} ${sentenceOf(w.it(files), retrievals)}`
    }
  return {
    /** „Die Adresse wurde bisher 1.204-mal abgerufen.“ */
    soFar: (retrievals: Retrievals) => sentenceOf(w.address(retrievals.files), retrievals),
    /** „Die Adresse ändert sich. Sie wurde bisher 1.204-mal abgerufen.“ */
    beforeChange: withIntroduction(w.changes),
    /** „Die Adresse hat sich geändert. …“ */
    afterChange: withIntroduction(w.changed),
  }
}

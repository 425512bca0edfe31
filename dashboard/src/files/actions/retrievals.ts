/** How often files were retrieved. Shown when they are renamed, moved or deleted. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { useTexts } from '../../language/language.tsx'
import { filesOf, isFolder, isWholeResult, type Target, type WholeResult } from '../target.ts'
import type { FileAnswer, LibraryAnswer } from '../types.ts'
import { retrievalWords } from '../words.ts'

export interface Retrievals {
  fileCount: number
  retrievalCount: number
  /**
   * Whether `retrievalCount` is exact. If false, only the first page was summed. Further files may have
   * retrievals as well, so `retrievalCount` is a lower bound.
   */
  isExact: boolean
}

export const retrievalsOf = (files: readonly FileAnswer[]): Retrievals => ({
  fileCount: files.length,
  retrievalCount: files.reduce((sum, { abrufe }) => sum + abrufe, 0),
  isExact: true,
})

type ResultQuery = WholeResult['query']

/**
 * The query for the first page of files, the most retrieved ones first. Files on further pages usually have
 * no retrievals.
 */
const mostRetrievedQuery = (query: ResultQuery) =>
  ({ ...query, sortierung: 'abrufe', richtung: 'ab', anzahl: 200 }) as const

export function sumRetrievals({ dateien, gesamt }: Pick<LibraryAnswer, 'dateien' | 'gesamt'>): Retrievals {
  const { retrievalCount } = retrievalsOf(dateien)
  const leastRetrievedFile = dateien.at(-1)
  return {
    fileCount: gesamt,
    retrievalCount,
    isExact: gesamt <= dateien.length || leastRetrievedFile?.abrufe === 0,
  }
}

/**
 * The lists of files have query keys that begin with `media`, and are refetched after every change to files.
 * This query has another key, so such a change does not refetch it: the folder may no longer exist.
 */
const retrievalsQuery = (query: ResultQuery) => ({
  queryKey: ['abrufe', query],
  queryFn: async () => sumRetrievals(await get('media', { query: mostRetrievedQuery(query) })),
})

/** The query that lists the files of a target; null if the target already contains the files. */
const resultQueryOf = (target: Target): ResultQuery | null =>
  isFolder(target) ? { ordner: target, unterordner: '1' } : isWholeResult(target) ? target.query : null

/** The retrievals of a target; undefined until the answer has arrived. */
export function useRetrievals(target: Target): Retrievals | undefined {
  const query = resultQueryOf(target)
  const { data } = useQuery({ ...retrievalsQuery(query ?? {}), enabled: query !== null })
  return query ? data : retrievalsOf(filesOf(target))
}

export const fetchRetrievals = async (queryClient: QueryClient, target: Target): Promise<Retrievals> => {
  const query = resultQueryOf(target)
  return query ? queryClient.fetchQuery(retrievalsQuery(query)) : retrievalsOf(filesOf(target))
}

export function useRetrievalSentences() {
  const { w, format } = useTexts(retrievalWords)
  const sentenceOf = (sentenceStart: string, { retrievalCount, isExact }: Retrievals) =>
    retrievalCount === 0
      ? w.never(sentenceStart)
      : (isExact ? w.exactly : w.atLeast)(
          sentenceStart,
          w.times(retrievalCount, format.number(retrievalCount)),
        )
  const withIntroduction =
    (introduction: (count: number, text: string) => string) => (retrievals: Retrievals) => {
      const { fileCount } = retrievals
      return `${introduction(fileCount, format.number(fileCount))} ${sentenceOf(w.it(fileCount), retrievals)}`
    }
  return {
    /** For example „Die Adresse wurde bisher 1.204-mal abgerufen.“ */
    sentenceAfterDeletion: (retrievals: Retrievals) =>
      sentenceOf(w.address(retrievals.fileCount), retrievals),
    /** For example „Die Adresse ändert sich. Sie wurde bisher 1.204-mal abgerufen.“ */
    sentenceBeforeChange: withIntroduction(w.changes),
    /** For example „Die Adresse hat sich geändert. Sie wurde bisher 1.204-mal abgerufen.“ */
    sentenceAfterChange: withIntroduction(w.changed),
  }
}

/**
 * Translates the details of history entries, which the service writes in German, into the language of the
 * page.
 */
import {
  EARLIER_VERSION_DETAIL,
  keptPathOf,
  NOT_SCALED_DETAIL,
  REPLACED_FILE_DETAIL,
  retentionFolderOf,
} from '../../../src/contract/files/history-details.ts'
import { useWords } from '../language/language.tsx'
import { words } from './words.ts'

/**
 * Returns a function that translates the details of a history entry. It returns null for details that it does
 * not know, such as an earlier path.
 */
export function useHistoryNote(): (details: string | null) => string | null {
  const w = useWords(words)
  const notes = new Map<string | null, string>([
    [NOT_SCALED_DETAIL, w.notScaled],
    [REPLACED_FILE_DETAIL, w.swapped],
    [EARLIER_VERSION_DETAIL, w.earlierVersion],
  ])
  return details => {
    const folder = retentionFolderOf(details)
    if (folder !== null) return w.byRetention(folder === '/' ? w.top : folder)
    const keptFile = keptPathOf(details)
    if (keptFile !== null) return w.equalTo(keptFile)
    return notes.get(details) ?? null
  }
}

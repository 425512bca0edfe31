/**
 * What a search text means: words in any order, all of which must be in a path, ignoring case. `*` stands for
 * any characters and `?` for one; a word with one of them has to match whole names or folders. Paths are
 * ASCII, so umlauts are searched in both spellings: `ü` as `ue` and as `u`.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { lowerWithoutAccents, plainLetters } from '../../../contract/paths/clean-path.ts'
import type { QueryTraits } from '../../../database/database.ts'

export interface Word {
  /** The word in lower case, in each of its spellings; one of them has to match. */
  spellings: readonly string[]
  hasWildcards: boolean
}

/** Any other character cannot be part of a path. */
const SEARCHABLE = /^[a-z0-9._/*?-]+$/

/**
 * The words of a search text; null if no path can match. A word of stars alone matches everything, and is
 * left out.
 */
export function wordsOf(search: string): Word[] | null {
  const words: Word[] = []
  for (const text of new Set(search.trim().split(/\s+/))) {
    const spellings = [...new Set([plainLetters(text), lowerWithoutAccents(text)])].filter(each =>
      SEARCHABLE.test(each),
    )
    if (spellings.length === 0) return null
    if (!/^\*+$/.test(text)) words.push({ spellings, hasWildcards: /[*?]/.test(text) })
  }
  return words
}

/** The SQL condition that the column contains the word in one of its spellings. Uses no index. */
export function wordCondition(
  { spellings, hasWildcards }: Word,
  column: string,
  queries: QueryTraits,
): Expression<SqlBool> {
  const each = spellings.map(spelling =>
    hasWildcards ? likePattern(column, spelling) : queries.contains(column, spelling),
  )
  return each.length === 1 ? each[0]! : sql<SqlBool>`(${sql.join(each, sql` or `)})`
}

/** Both engines read this pattern alike: `like` ignores case only in one of them, hence `lower`. */
function likePattern(column: string, spelling: string): RawBuilder<SqlBool> {
  const escaped = spelling
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_')
  return sql`lower('/' || ${sql.ref(column)} || '/') like ${`%/${escaped}/%`} escape '\\'`
}

/**
 * The part of a word that the search index can find, in each spelling; null if it is too short. With
 * wildcards, the longest part between them.
 */
export function indexedPart({ spellings }: Word, { searchableFrom }: QueryTraits): string[] | null {
  const parts = spellings.map(spelling =>
    spelling.split(/[*?]/).reduce((longest, part) => (part.length > longest.length ? part : longest), ''),
  )
  return parts.every(part => part.length >= searchableFrom) ? parts : null
}

/** A subquery for the `nr` of each file with one text of every group in its path; at most `limit` rows. */
export function hitsOf(
  groups: readonly string[][],
  queries: QueryTraits,
  limit?: number,
): RawBuilder<{ nr: number }> {
  const [[text] = [], ...others] = groups
  if (others.length === 0 && groups[0]?.length === 1) return queries.pathsContaining(text!, limit)
  const parts = groups.map(texts => {
    const found = texts.map(each => sql`select nr from ${queries.pathsContaining(each)} as found`)
    return sql`select nr from (${sql.join(found, sql` union `)}) as part`
  })
  const most = limit === undefined ? sql`` : sql` limit ${limit}`
  return sql`(select nr from (${sql.join(parts, sql` intersect `)}) as hits${most})`
}

/** Whether the path contains the word: the test of `wordCondition` on a string. */
export function isIn({ spellings, hasWildcards }: Word, path: string): boolean {
  const text = path.toLowerCase()
  if (!hasWildcards) return spellings.some(spelling => text.includes(spelling))
  return spellings.some(spelling => isLike(`/${text}/`, `*/${spelling}/*`))
}

/** Whether the whole text matches. Backtracks only to the last star, so it takes little time. */
function isLike(text: string, pattern: string): boolean {
  let [at, next, star, from] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[next] === '*') {
      star = next++
      from = at
    } else if (pattern[next] === '?' || pattern[next] === text[at]) {
      at++
      next++
    } else if (star >= 0) {
      next = star + 1
      at = ++from
    } else return false
  }
  while (pattern[next] === '*') next++
  return next === pattern.length
}

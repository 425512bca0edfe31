/**
 * Interprets a search text: words in any order, all of which must be in a path, ignoring case. `*` stands for
 * any characters and `?` for one; a word with one of these wildcards has to match whole segments of a path
 * (folders, file name). Paths are ASCII, so a word with umlauts is searched in two spellings: with `ü` as
 * `ue` and as `u`.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { lowerWithoutAccents, transliterate } from '../../../contract/paths/clean-path.ts'
import type { QueryTraits } from '../../../database/database.ts'

export interface SearchWord {
  /** The word in lower case, in each of its spellings; one of them has to match. */
  spellings: readonly string[]
  hasWildcards: boolean
}

/** The characters of paths, and the wildcards. A spelling with any other character matches no path. */
const SEARCHABLE_SPELLING = /^[a-z0-9._/*?-]+$/

/**
 * Splits a search text into words; null if no path can match. A word that consists only of stars matches
 * every path, so it is left out.
 */
export function parseSearchWords(search: string): SearchWord[] | null {
  const words: SearchWord[] = []
  for (const text of new Set(search.trim().split(/\s+/))) {
    const spellings = [...new Set([transliterate(text), lowerWithoutAccents(text)])].filter(spelling =>
      SEARCHABLE_SPELLING.test(spelling),
    )
    if (spellings.length === 0) return null
    if (!/^\*+$/.test(text)) words.push({ spellings, hasWildcards: /[*?]/.test(text) })
  }
  return words
}

/**
 * The SQL condition that the column contains the word in one of its spellings, or matches it if it has
 * wildcards. Uses no index.
 */
export function wordCondition(
  { spellings, hasWildcards }: SearchWord,
  column: string,
  queryTraits: QueryTraits,
): Expression<SqlBool> {
  const conditions = spellings.map(spelling =>
    hasWildcards ? likeCondition(column, spelling) : queryTraits.contains(column, spelling),
  )
  return conditions.length === 1 ? conditions[0]! : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/** `lower` is needed because `like` ignores case in SQLite but not in PostgreSQL. */
function likeCondition(column: string, spelling: string): RawBuilder<SqlBool> {
  const likePattern = spelling
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_')
  return sql`lower('/' || ${sql.ref(column)} || '/') like ${`%/${likePattern}/%`} escape '\\'`
}

/**
 * For each spelling of a word, the text to look up in the search index: the whole spelling, or the longest
 * text between its wildcards. Null if one of these texts is too short for the index.
 */
export function indexableParts({ spellings }: SearchWord, { minSearchLength }: QueryTraits): string[] | null {
  const longestParts = spellings.map(spelling =>
    spelling.split(/[*?]/).reduce((longest, part) => (part.length > longest.length ? part : longest), ''),
  )
  return longestParts.every(part => part.length >= minSearchLength) ? longestParts : null
}

/**
 * A subquery for the row numbers of the files whose path contains at least one text of every group; at most
 * `limit` rows.
 */
export function hitsSubquery(
  groups: readonly string[][],
  queryTraits: QueryTraits,
  limit?: number,
): RawBuilder<{ nr: number }> {
  const [[text] = [], ...otherGroups] = groups
  if (otherGroups.length === 0 && groups[0]?.length === 1) return queryTraits.pathsContaining(text!, limit)
  const groupQueries = groups.map(texts => {
    const subqueries = texts.map(
      groupText => sql`select nr from ${queryTraits.pathsContaining(groupText)} as found`,
    )
    return sql`select nr from (${sql.join(subqueries, sql` union `)}) as part`
  })
  const limitClause = limit === undefined ? sql`` : sql` limit ${limit}`
  return sql`(select nr from (${sql.join(groupQueries, sql` intersect `)}) as hits${limitClause})`
}

/** Whether the path contains the word: the same test as the SQL of `wordCondition`. */
export function isWordInPath({ spellings, hasWildcards }: SearchWord, path: string): boolean {
  const text = path.toLowerCase()
  if (!hasWildcards) return spellings.some(spelling => text.includes(spelling))
  return spellings.some(spelling => matchesWildcards(`/${text}/`, `*/${spelling}/*`))
}

/**
 * Whether the pattern matches the whole text. Backtracks only to the last star, so it never takes exponential
 * time.
 */
function matchesWildcards(text: string, pattern: string): boolean {
  let [textIndex, patternIndex, lastStarIndex, lastStarTextIndex] = [0, 0, -1, 0]
  while (textIndex < text.length) {
    if (pattern[patternIndex] === '*') {
      lastStarIndex = patternIndex++
      lastStarTextIndex = textIndex
    } else if (pattern[patternIndex] === '?' || pattern[patternIndex] === text[textIndex]) {
      textIndex++
      patternIndex++
    } else if (lastStarIndex >= 0) {
      patternIndex = lastStarIndex + 1
      textIndex = ++lastStarTextIndex
    } else return false
  }
  while (pattern[patternIndex] === '*') patternIndex++
  return patternIndex === pattern.length
}

/**
 * Compares a list of names with the files that match a pattern, and finds the missing and the surplus names.
 */
import { type Expression, type SqlBool, sql } from 'kysely'
import { pace } from '../../../base/pace.ts'
import { splitPath } from '../../../contract/paths/path-parts.ts'
import type { Database } from '../../../database/database.ts'
import type { Area } from '../../../http/access/library-area.ts'
import { checkValidPath } from '../../../http/path-check.ts'
import { filesInArea } from '../../folders/files-below.ts'

export async function compareNames(
  { slowRead: db }: Database,
  area: Area,
  { pattern, names }: { pattern: string; names: readonly string[] },
): Promise<{ missing: string[]; surplus: string[]; presentCount: number }> {
  // The pattern must be a valid path when each `*` is replaced by a name. The check uses a name of one
  // character, the shortest possible.
  checkValidPath(pattern.replaceAll('*', 'x'))
  const wantedNames = new Set(names)
  const foundNames = new Set<string>()
  const surplusNames: string[] = []
  const fixedStart = pattern.slice(0, pattern.indexOf('*'))
  for await (const files of filesInArea(db, area, {
    start: fixedStart,
    where: folderCondition(pattern),
  })) {
    for (const { path } of files) {
      const name = extractName(pattern, path)
      if (name === null) continue
      if (wantedNames.has(name)) foundNames.add(name)
      else surplusNames.push(name)
    }
    await pace()
  }
  const missingNames = [...wantedNames].filter(name => !foundNames.has(name))
  return { missing: missingNames.sort(), surplus: surplusNames.sort(), presentCount: foundNames.size }
}

/** The last folder that the pattern names before its first `*`; all matches are in it or below it. */
export const patternBaseFolder = (pattern: string) => splitPath(pattern.slice(0, pattern.indexOf('*'))).folder

/**
 * If only the last segment of the pattern has a `*`, all matches are directly in one folder: returns the
 * condition for this folder. Otherwise returns no condition.
 */
function folderCondition(pattern: string): Expression<SqlBool>[] {
  const folder = pattern.slice(0, pattern.lastIndexOf('/') + 1)
  return folder.includes('*') ? [] : [sql<SqlBool>`folder = ${folder}`]
}

/** Returns the name that, substituted for every `*` in `pattern`, yields `path`; null if there is none. */
export function extractName(pattern: string, path: string): string | null {
  const fixedParts = pattern.split('*')
  const starCount = fixedParts.length - 1
  const nameLength = (path.length - (pattern.length - starCount)) / starCount
  if (!Number.isInteger(nameLength) || nameLength < 1) return null
  const nameStart = fixedParts[0]!.length
  const name = path.slice(nameStart, nameStart + nameLength)
  return !name.includes('/') && fixedParts.join(name) === path ? name : null
}

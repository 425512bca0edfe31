/** The path of a file that was uploaded to a compatibility route: prefix, folder, name and hash. */

import { DEFAULT_PREFIX } from '../../contract/accounts/tokens.ts'
import { cleanGeneratedName } from '../../contract/paths/clean-path.ts'
import { lowerCaseAscii } from '../../contract/paths/lower-case.ts'
import { baseName, splitPath } from '../../contract/paths/path-parts.ts'
import { PATH_MAX_LENGTH } from '../../contract/paths/path-rules.ts'
import { COMPAT_HASH_LENGTH } from '../../contract/upload/compat.ts'
import type { Token } from '../../http/access/actor.ts'
import { checkValidPath } from '../../http/path-check.ts'

/**
 * The folder for a file, with a trailing slash. The prefix is taken from the token unchanged; the folder that
 * the client sent is lower-cased.
 */
export function folderFor(token: Token, sentFolder: string): string {
  const prefix = token.prefix ?? DEFAULT_PREFIX
  const folder = lowerCaseAscii(sentFolder.replace(/^\//, '').replace(/\/$/, ''))
  if (folder === '') return prefix
  checkValidPath(folder)
  return `${prefix}${folder}/`
}

interface NameParts {
  folder: string
  /** The client's name; may be empty. */
  filename: string
  extension: string
}

/**
 * The path for a file with the hash `sha256`. The name contains the first characters of the hash, so equal
 * contents with equal names get the same path. If a file with another hash has this path, more characters are
 * used. A path with the whole hash is returned even if it is taken. `hashAt` returns the hash of the file at
 * a path; null if there is none.
 */
export async function pathForContent(
  nameParts: NameParts,
  sha256: string,
  hashAt: (path: string) => Promise<string | null>,
): Promise<string> {
  for (let hashLength = COMPAT_HASH_LENGTH; ; hashLength++) {
    const hash = sha256.slice(0, hashLength)
    const path = `${nameParts.folder}${stemFor(nameParts, hashLength)}${hash}.${nameParts.extension}`
    const existingHash = await hashAt(path)
    if (existingHash === null || existingHash === sha256 || hashLength === sha256.length) return path
  }
}

/**
 * The start of the stored name: `Mein Bild.png` → `mein-bild-`; empty if no usable character is left. The
 * service chooses the name, so the name that the client sent is cleaned and not refused.
 */
function stemFor({ folder, filename, extension }: NameParts, hashLength: number): string {
  const maxStemLength = PATH_MAX_LENGTH - folder.length - extension.length - hashLength - '-.'.length
  const stem = cleanGeneratedName(splitPath(baseName(filename)).stem, maxStemLength)
  return stem === '' ? '' : `${stem}-`
}

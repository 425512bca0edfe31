/** The roles of accounts, and how an account may be limited to folders. */
import { z } from 'zod'
import { ownFolderInput } from '../paths/folder-input.ts'
import { isBelow } from '../paths/paths.ts'
import { ACCOUNT_FOLDERS_MAX } from '../values/limits.ts'

/** Each role may do everything that the roles before it may do. */
export const ROLES = ['ansicht', 'redaktion', 'betreiber'] as const
export type Role = (typeof ROLES)[number]

/** False for a role that this version does not know. */
export const hasRole = (role: Role, least: Role) => ROLES.indexOf(role) >= ROLES.indexOf(least)

/** Null: all folders. A folder below another one of the list adds nothing and is left out. */
export const accountFolders = z
  .array(ownFolderInput, 'muss eine Liste von Ordnern sein')
  .min(1, 'braucht mindestens einen Ordner')
  .max(ACCOUNT_FOLDERS_MAX, `darf höchstens ${ACCOUNT_FOLDERS_MAX} Ordner enthalten`)
  .transform(folders => outermost(folders))
  .nullable()

/** Without folders that are below another one. */
export function outermost(folders: readonly string[]): string[] {
  const each = [...new Set(folders)].sort()
  return each.filter(folder => !each.some(other => isBelow(folder, other)))
}

/** The roles of accounts. */
import { isBelow } from '../paths/path-parts.ts'

/** From the lowest to the highest: each role may do everything that the roles before it may do. */
export const ROLES = ['ansicht', 'redaktion', 'betreiber'] as const
export type Role = (typeof ROLES)[number]

/** Whether `role` may do everything that `minimumRole` may do; false if this version does not know `role`. */
export const hasRole = (role: Role, minimumRole: Role) => ROLES.indexOf(role) >= ROLES.indexOf(minimumRole)

/** The listed folders, without those inside another listed folder. */
export function outermostFolders(folders: readonly string[]): string[] {
  const distinctFolders = [...new Set(folders)].sort()
  return distinctFolders.filter(folder => !distinctFolders.some(otherFolder => isBelow(folder, otherFolder)))
}

/**
 * The rights of the signed-in account. Pages hide what the service would refuse; the service itself checks
 * every request. When the rights change, the frame is remounted (`app.tsx`), so these functions may be called
 * while rendering.
 */
import { hasRole, type Role } from '../../../src/contract/accounts/roles.ts'
import { createObservable } from './observable.ts'
import { isWithin } from './paths.ts'

interface Rights {
  role: Role
  /** The folders to which the account is limited; null: all. */
  folders: readonly string[] | null
}

export const rights = createObservable<Rights>({ role: 'ansicht', folders: [] })

/** Whether the account has this role or a higher one. */
export const hasMinimumRole = (lowestRole: Role) => hasRole(rights.get().role, lowestRole)

/** Whether the account may see everything in this folder. */
export function maySeeFolder(folder: string): boolean {
  const { folders } = rights.get()
  return folders === null || folders.some(allowedFolder => isWithin(folder, allowedFolder))
}

/** Whether the account may upload or move files into this folder. */
export const mayAddFiles = (folder: string) => hasMinimumRole('redaktion') && maySeeFolder(folder)

/**
 * Whether the account may move this folder. The top folder cannot be moved. A folder to which the account is
 * limited cannot be moved either, because the account could not reach it any more.
 */
export const mayMoveFolder = (folder: string) =>
  folder !== '' && hasMinimumRole('redaktion') && maySeeFolder(folder) && !isAccountFolder(folder)

/** Whether this is one of the folders to which the account is limited. */
export const isAccountFolder = (folder: string) => rights.get().folders?.includes(folder) ?? false

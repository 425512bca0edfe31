/**
 * What the signed-in account may do. Pages show nothing that the service would refuse; the service decides.
 * A change of rights shows the frame anew (`app.tsx`), so that these functions may be called while rendering.
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

export const may = (least: Role) => hasRole(rights.get().role, least)

/** Whether the account may see everything in this folder. */
export function maySee(folder: string): boolean {
  const { folders } = rights.get()
  return folders === null || folders.some(each => isWithin(folder, each))
}

export const mayPutInto = (folder: string) => may('redaktion') && maySee(folder)

/** Not the top, and not a folder to which the account is limited: it would leave the account's reach. */
export const mayMoveFolder = (folder: string) =>
  folder !== '' && may('redaktion') && maySee(folder) && !isLimit(folder)

/** Whether this is one of the folders with which a limited account begins. */
export const isLimit = (folder: string) => rights.get().folders?.includes(folder) ?? false

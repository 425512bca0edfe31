/**
 * The part of the library that a request may see and change. Queries of the dashboard take an `Area` and no
 * bare folder, and only `admit` makes one from an account. So a query cannot forget the account's folders.
 */
import { hasRole, type Role } from '../../contract/accounts/roles.ts'
import { isBelow } from '../../contract/paths/paths.ts'
import { failure } from '../../errors/errors.ts'

declare const admitted: unique symbol

export interface Area {
  /** Everything below these folders, none of which is below another; a single empty one is all. */
  readonly folders: readonly string[]
  readonly [admitted]: true
}

/** What a request names. Each is judged whether it exists or not, so that the answer reveals nothing. */
export interface Named {
  /** What is below this folder; empty: everything that the account may see. */
  below?: string
  /** Files, and folders that are renamed or moved, so that their parent changes. */
  paths?: readonly string[]
  /** A folder itself, such as a target; empty: the top folder. */
  folder?: string
  /** The least role, if it depends on the request. */
  role?: Role
}

export interface Rights {
  role: Role
  /** Null: all. */
  folders: readonly string[] | null
}

/** For jobs and commands, and for operators, whose accounts have no limits. */
export const EVERYTHING = areaOf([''])

/** Throws 403 if the account may not do what the request names. */
export function admit({ role, folders }: Rights, named: Named): Area {
  const { below = '', paths = [], folder, role: least } = named
  if (least !== undefined && !hasRole(role, least)) throw failure.roleForbidden()
  const whole = folders === null ? EVERYTHING : areaOf(folders)
  refuseOutside(paths, whole)
  if (folder !== undefined && !holdsFolder(folder, whole)) throw failure.folderForbidden()
  if (below === '') return whole
  if (!holdsFolder(below, whole)) throw failure.folderForbidden()
  return areaOf([below])
}

/** Whether a file with this path belongs to the area. */
export const isInside = (path: string, { folders }: Area) => folders.some(folder => isBelow(path, folder))

/** Throws 403 if one of the paths is outside. */
export function refuseOutside(paths: readonly string[], area: Area): void {
  if (!paths.every(path => isInside(path, area))) throw failure.folderForbidden()
}

const holdsFolder = (folder: string, { folders }: Area) =>
  folders.some(each => folder === each || isBelow(folder, each))

function areaOf(folders: readonly string[]): Area {
  return { folders } as Area
}

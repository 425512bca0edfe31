/**
 * The part of the library that a request may see and change. Queries of the dashboard take an `Area` instead
 * of the name of a folder. For a signed-in account it comes from `admit` or `allowedAreaOf`, which apply the
 * limits of the account.
 */
import { hasRole, type Role } from '../../contract/accounts/roles.ts'
import { isBelow } from '../../contract/paths/path-parts.ts'
import { failure } from '../../errors/errors.ts'

declare const areaBrand: unique symbol

export interface Area {
  /** The folder to which the request limits itself; empty if it names none. */
  readonly baseFolder: string
  /**
   * The folders whose files belong to the area. None of them is below another one. A single empty name stands
   * for all files.
   */
  readonly folders: readonly string[]
  readonly [areaBrand]: true
}

/**
 * The files and folders that a request names. They are checked even if they do not exist, so that the answer
 * does not reveal what exists.
 */
export interface RequestTargets {
  /** The request concerns everything below this folder; empty: everything that the account may see. */
  baseFolder?: string
  /** Files, and folders to rename or move. Such a folder must itself be below an allowed folder. */
  paths?: readonly string[]
  /**
   * A folder that the request names besides `baseFolder`, such as the target of a move; empty: the top
   * folder.
   */
  otherFolder?: string
  /** The request concerns all paths that begin with this text, which may end within a name. */
  pathPrefix?: string
  /** The lowest role that may send this request, if that depends on its content. */
  role?: Role
}

export interface AccountRights {
  role: Role
  /** Null: all folders. */
  folders: readonly string[] | null
}

/**
 * The area of a whole folder, without regard to the rights of an account: for callers without an account
 * (jobs, commands, tokens, public pages) and for internal counts.
 */
export const everythingBelow = (folder: string) => createArea(folder, [folder])
export const WHOLE_LIBRARY = everythingBelow('')

/** Everything that the account may see. */
export const allowedAreaOf = ({ folders }: AccountRights) =>
  folders === null ? WHOLE_LIBRARY : createArea('', folders)

/**
 * Returns the area that the request names. Throws 403 if the account may not access one of the targets, or if
 * its role is too low.
 */
export function admit(
  rights: AccountRights,
  { baseFolder = '', paths = [], otherFolder: folder, pathPrefix, role }: RequestTargets,
): Area {
  if (role !== undefined && !hasRole(rights.role, role)) throw failure.roleForbidden()
  const allowedArea = allowedAreaOf(rights)
  refusePathsOutside(paths, allowedArea)
  const folders = [...(folder === undefined ? [] : [folder]), ...(baseFolder === '' ? [] : [baseFolder])]
  if (!folders.every(name => isFolderInside(name, allowedArea))) throw failure.folderForbidden()
  if (pathPrefix !== undefined && !mayContainPath(pathPrefix, allowedArea)) throw failure.folderForbidden()
  return baseFolder === '' ? allowedArea : everythingBelow(baseFolder)
}

/** Whether any path of the area can begin with `pathPrefix`. */
const mayContainPath = (pathPrefix: string, { folders }: Area) =>
  folders.some(folder => folder === '' || `${folder}/`.startsWith(pathPrefix) || isBelow(pathPrefix, folder))

/** Whether a file with this path belongs to the area. */
export const isPathInside = (path: string, { folders }: Area) => folders.some(folder => isBelow(path, folder))

/** Throws 403 if one of the paths is outside the area. */
export function refusePathsOutside(paths: readonly string[], area: Area): void {
  if (!paths.every(path => isPathInside(path, area))) throw failure.folderForbidden()
}

/** Whether all files of this folder belong to the area. */
export const isFolderInside = (folder: string, { folders }: Area) =>
  folders.some(areaFolder => folder === areaFolder || isBelow(folder, areaFolder))

/** Whether some files of this folder may belong to the area. */
export const overlapsFolder = (folder: string, area: Area) =>
  isFolderInside(folder, area) || area.folders.some(areaFolder => isBelow(areaFolder, folder))

/**
 * Whether the account is limited to some folders and the request names no folder. The folders of the area are
 * then shown as the top folders.
 */
export const isTopOfLimitedArea = ({ baseFolder, folders }: Area) =>
  baseFolder === '' && !folders.includes('')

export const isWholeLibrary = ({ folders }: Area) => folders.includes('')

function createArea(baseFolder: string, folders: readonly string[]): Area {
  return { baseFolder, folders } as Area
}

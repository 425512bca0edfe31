/** Helpers for paths. Folders have no final slash; the top folder is the empty string. */

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** `a/b/c` → `a`, `a/b`, `a/b/c`. */
export function ancestorsAndSelf(folder: string): string[] {
  const segments = folder === '' ? [] : folder.split('/')
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}

/** Whether `path` is the folder itself or is inside it. `folder` must not be the top folder. */
export const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

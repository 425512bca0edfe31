/** The parts of a path: folder, name, stem and extension. */

/**
 * Splits a path. `folder`: everything before the last `/`; empty at the top. `extension`: with its dot, or
 * empty. `a.` has no extension: its dot belongs to the stem.
 */
export function splitPath(path: string) {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const dot = name.lastIndexOf('.')
  const extensionStart = dot > 0 && dot < name.length - 1 ? dot : name.length
  return {
    folder: path.slice(0, Math.max(slash, 0)),
    stem: name.slice(0, extensionStart),
    extension: name.slice(extensionStart),
  }
}

/** The path of the file or folder `name` in `folder`; an empty `folder` is the top folder. */
export const pathBelow = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** The part after the last `/` or `\`, for a name from a client, which may run Windows. */
export const baseName = (path: string) => nameOf(path.replaceAll('\\', '/'))

/**
 * Whether the path is below the folder `prefix`, which may be given with or without its final `/`: `items/a`
 * is below `items`, `items2/a` is not. Every path is below the empty prefix.
 */
export function isBelow(path: string, prefix: string): boolean {
  return prefix === '' || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
}

/** The command that restores an archive, ready to be copied. */

export interface ArchiveLocation {
  /**
   * The backup target as in the settings; empty for the default, the folder `sicherung` in the data folder.
   */
  target: string
  /** The name of the archive; null if there is none. */
  name: string | null
}

export function restoreCommand({ target, name }: ArchiveLocation): string {
  const folder = target === '' ? 'DATA_DIR/sicherung' : target.replace(/[\\/]+$/, '')
  const separator = target.includes('\\') ? '\\' : '/'
  const path = `${folder}${separator}${name ?? 'ARCHIV.tar'}`
  // Quoted unless the path has only letters, digits and `_ . / : \ -`: other characters, such as an
  // apostrophe or a dollar sign, may have a special meaning in a shell. A UNC path (\\server\share) is always
  // quoted.
  const quotedPath = /^[\w./:\\-]+$/.test(path) && !path.startsWith('\\\\') ? path : quoteForShell(path)
  return `npm run fundus -- restore ${quotedPath} --force`
}

const quoteForShell = (path: string) =>
  path.startsWith('/') ? `'${path.replaceAll("'", "'\\''")}'` : `"${path}"`

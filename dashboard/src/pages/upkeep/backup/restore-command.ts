/** The command that restores an archive, ready to be copied. */

export interface ArchivePlace {
  /** The target as set; empty: the service's own folder. */
  target: string
  /** Null while there is no archive. */
  name: string | null
}

export function restoreCommand({ target, name }: ArchivePlace): string {
  const folder = target === '' ? 'DATA_DIR/sicherung' : target.replace(/[\\/]+$/, '')
  const separator = target.includes('\\') ? '\\' : '/'
  const path = `${folder}${separator}${name ?? 'ARCHIV.tar'}`
  // An apostrophe or dollar sign in a folder's name would be special in a POSIX shell.
  const quoted = /^[\w./:\\-]+$/.test(path) && !path.startsWith('\\\\') ? path : quote(path)
  return `npm run fundus -- restore ${quoted} --force`
}

const quote = (path: string) => (path.startsWith('/') ? `'${path.replaceAll("'", "'\\''")}'` : `"${path}"`)

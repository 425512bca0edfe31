/**
 * Changes the user of this process, and finds the owners of files. Most commands that root starts continue as
 * the owner of the data folder, because the service could not use new files that belong to root.
 */
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { attempt, succeeds } from '../base/attempt.ts'
import { errorCode } from '../base/system/error-code.ts'

const ROOT_UID = 0
const READ_AND_WRITE = constants.R_OK | constants.W_OK

/**
 * Irreversibly changes the user of this process to the owner of the folder. Does nothing unless this process
 * runs as root, and the folder belongs to another user who can reach it.
 */
export function becomeOwnerOf(folder: string): void {
  const { geteuid, setegid, seteuid, setgid, setuid } = process
  if (geteuid?.() !== ROOT_UID) return
  const owner = statsOf(folder)
  if (!owner || owner.uid === ROOT_UID) return
  const { uid, gid } = owner
  setegid!(gid)
  seteuid!(uid)
  // The owner may be unable to reach the folder: systemd keeps the data folder of a dynamic user inside a
  // folder that only root may enter.
  const isReachable = succeeds(() => accessSync(folder, READ_AND_WRITE | constants.X_OK))
  seteuid!(ROOT_UID)
  setegid!(ROOT_UID)
  if (!isReachable) return
  const userName = userNameOf(uid)
  // The runtime's types lack `initgroups`, which refuses a user without a name.
  if (userName === null) process.setgroups!([gid])
  else (process as unknown as { initgroups(name: string, group: number): void }).initgroups(userName, gid)
  setgid!(gid)
  setuid!(uid)
}

/**
 * The first of these paths that belongs to another user and that this process may not both read and write,
 * with the name of its owner; null if there is no such path.
 */
export function findForeignFile(paths: readonly string[]): { path: string; owner: string } | null {
  for (const path of paths)
    try {
      accessSync(path, READ_AND_WRITE)
    } catch (error) {
      const uid = errorCode(error) === 'EACCES' ? statsOf(path)?.uid : undefined
      if (uid !== undefined && uid !== process.geteuid?.())
        return { path, owner: userNameOf(uid) ?? String(uid) }
    }
  return null
}

export const currentUserName = () => {
  const uid = process.geteuid?.() ?? ROOT_UID
  return userNameOf(uid) ?? String(uid)
}

/** The result of `stat`; undefined if it fails, for example because the path does not exist. */
const statsOf = (path: string) => attempt(() => statSync(path))

/** The name of a user; null if `/etc/passwd` lacks it, as for a user of a directory service. */
function userNameOf(uid: number): string | null {
  const lines = attempt(() => readFileSync('/etc/passwd', 'utf8'))?.split('\n') ?? []
  return lines.map(line => line.split(':')).find(([, , id]) => id === String(uid))?.[0] ?? null
}

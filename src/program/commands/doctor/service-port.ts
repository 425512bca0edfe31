/**
 * Finds the port of the running service that uses this data folder. Works only on Linux, which shows the open
 * files of other processes.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../../base/attempt.ts'
import { DATABASE_FILE } from '../../../database/sqlite/file.ts'

/** The state of a listening socket (include/net/tcp_states.h). */
const LISTEN_STATE = '0A'

/**
 * Looks for another process that has the database open and listens on a port, and returns that port. Null if
 * there is no such process, or if this user may not inspect it.
 */
export function findServicePort(dataDir: string): number | null {
  const databaseFile = join(dataDir, DATABASE_FILE)
  /** The open files and sockets of every process that has the database open. */
  const serviceFiles = new Set<string>()
  for (const pid of attempt(() => readdirSync('/proc')) ?? []) {
    const openFiles = /^\d+$/.test(pid) && pid !== String(process.pid) ? openFilesOf(pid) : []
    if (openFiles.includes(databaseFile)) for (const name of openFiles) serviceFiles.add(name)
  }
  for (const table of serviceFiles.size > 0 ? ['tcp', 'tcp6'] : [])
    for (const line of readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1)) {
      const [, localAddress = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === LISTEN_STATE && serviceFiles.has(`socket:[${inode}]`))
        return Number.parseInt(localAddress.split(':')[1] ?? '', 16)
    }
  return null
}

function openFilesOf(pid: string): string[] {
  const descriptors = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  return descriptors.flatMap(descriptor => attempt(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? [])
}

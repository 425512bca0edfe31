/**
 * Finds the physical disks on which a path is, on Linux. `/proc/self/mountinfo` (proc_pid_mountinfo(5)) says
 * on which device a folder is, and `/sys/dev/block` what that device is: a whole disk, a partition, a mapping
 * over other devices (device-mapper, md), or a file on another file system (loop). Decision 0015 says why
 * `lsblk` is not used.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { DiskLocation } from './disk-location.ts'

/**
 * Maximum number of devices that are stacked on one another, such as a mapping over a partition of a disk.
 * More than any real setup has; it ends the search if devices refer to each other in a cycle.
 */
const MAX_DEPTH = 16

const NETWORK_FILE_SYSTEM =
  /^(nfs4?|cifs|smb3|smbfs|9p|ceph|afs|davfs|glusterfs|fuse\.(sshfs|glusterfs|s3fs|rclone|davfs2?))$/
const MEMORY_FILE_SYSTEM = /^(tmpfs|ramfs)$/
const STACKED_FILE_SYSTEM = /^(overlay|aufs)$/

/** Each method returns null if the file, folder or path is absent or cannot be read. */
export interface LinuxSystem {
  readText(file: string): string | null
  listFolder(folder: string): string[] | null
  realpath(path: string): string | null
  /** The device number of the file system on which a path is, such as `8:1`. */
  deviceOf(path: string): string | null
}

export interface Mount {
  device: string
  mountPoint: string
  type: string
  source: string
  options: string
}

export function linuxDisks(system: LinuxSystem, path: string, remainingDepth = MAX_DEPTH): DiskLocation {
  const realPath = system.realpath(path)
  if (realPath === null || remainingDepth === 0) return null
  const mount = findMount(system.readText('/proc/self/mountinfo') ?? '', realPath)
  // In a chroot, there may be no mount point at or above the path.
  if (!mount) return disksOfDevice(system, system.deviceOf(realPath), remainingDepth)
  if (NETWORK_FILE_SYSTEM.test(mount.type)) return { network: mount.source }
  if (MEMORY_FILE_SYSTEM.test(mount.type)) return { disks: new Set(['memory']) }
  if (mount.type === 'zfs') return { disks: new Set([`zfs ${mount.source.split('/')[0]}`]) }
  if (STACKED_FILE_SYSTEM.test(mount.type)) {
    const upperFolder = /(?:^|,)upperdir=([^,]+)/.exec(mount.options)?.[1]
    return upperFolder === undefined ? null : linuxDisks(system, upperFolder, remainingDepth - 1)
  }
  return (
    disksOfDevice(system, mount.device, remainingDepth) ?? disksOfSource(system, mount.source, remainingDepth)
  )
}

function disksOfDevice(system: LinuxSystem, device: string | null, remainingDepth: number): DiskLocation {
  const node = device && system.realpath(`/sys/dev/block/${device}`)
  return node ? disksOfNode(system, node, remainingDepth) : null
}

/**
 * Finds the disks by the source of the mount. A file system over several devices (btrfs) has a device number
 * that is not in `/sys`, but mountinfo names one of its devices as the source.
 */
function disksOfSource(system: LinuxSystem, source: string, remainingDepth: number): DiskLocation {
  const device = source.startsWith('/dev/') ? system.realpath(source) : null
  const node = device && system.realpath(`/sys/class/block/${basename(device)}`)
  return node ? disksOfNode(system, node, remainingDepth) : null
}

/**
 * The mount with the longest mount point at or above the path; of two at the same point, the one that
 * `mountinfo` lists later. Null if there is no such mount.
 */
export function findMount(mountinfo: string, path: string): Mount | null {
  let bestMount: Mount | null = null
  for (const line of mountinfo.split('\n')) {
    const mount = parseMount(line)
    if (!mount) continue
    const isAbove =
      mount.mountPoint === '/' || path === mount.mountPoint || path.startsWith(`${mount.mountPoint}/`)
    if (isAbove && mount.mountPoint.length >= (bestMount?.mountPoint.length ?? 0)) bestMount = mount
  }
  return bestMount
}

function parseMount(line: string): Mount | null {
  const [mountPart = '', sourcePart] = line.split(' - ')
  const [, , device, , mountPoint] = mountPart.split(' ')
  const [type, source, options] = sourcePart?.split(' ') ?? []
  if (!device || !mountPoint || !type || !source) return null
  return {
    device,
    mountPoint: unescapeOctal(mountPoint),
    type,
    source: unescapeOctal(source),
    options: unescapeOctal(options ?? ''),
  }
}

/** Decodes mountinfo's octal escapes: a space is `\040`. */
const unescapeOctal = (text: string) =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

/** Finds the disks of a device. `node`: its folder below `/sys`. */
function disksOfNode(system: LinuxSystem, node: string, remainingDepth: number): DiskLocation {
  if (remainingDepth === 0) return null
  if (system.readText(`${node}/partition`) !== null)
    return disksOfNode(system, dirname(node), remainingDepth - 1)
  const backingFile = system.readText(`${node}/loop/backing_file`)
  if (backingFile !== null) return linuxDisks(system, backingFile.trim(), remainingDepth - 1)
  const slaves = system.listFolder(`${node}/slaves`) ?? []
  if (slaves.length === 0) return { disks: new Set([basename(node)]) }
  const disks = new Set<string>()
  for (const slave of slaves) {
    const slaveNode = system.realpath(`${node}/slaves/${slave}`)
    const location = slaveNode === null ? null : disksOfNode(system, slaveNode, remainingDepth - 1)
    if (!location || 'network' in location) return location
    for (const disk of location.disks) disks.add(disk)
  }
  return { disks }
}

const readOrNull = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch {
    return null
  }
}

export const linuxSystem: LinuxSystem = {
  readText: file => readOrNull(() => readFileSync(file, 'utf8')),
  listFolder: folder => readOrNull(() => readdirSync(folder)),
  realpath: path => readOrNull(() => realpathSync(path)),
  deviceOf: path =>
    readOrNull(() => {
      const { dev } = statSync(path, { bigint: true })
      // Splits the number as `major` and `minor` of the C library do (makedev(3)).
      const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n)
      const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n)
      return `${major}:${minor}`
    }),
}

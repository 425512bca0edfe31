/**
 * The physical disks of a file on Linux. `/proc/self/mountinfo` (proc_pid_mountinfo(5)) says on which device
 * a folder is, `/sys/dev/block` what that device consists of: a partition, a mapping over other devices
 * (device-mapper, md), or a file on another file system (loop). Decision 0015 says why `lsblk` is not used.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { DiskLocation } from './same-disk.ts'

/** Maximum depth, above that of any real setup; ends the search if devices form a cycle. */
const MAX_DEPTH = 16

const NETWORK_TYPES =
  /^(nfs4?|cifs|smb3|smbfs|9p|ceph|afs|davfs|glusterfs|fuse\.(sshfs|glusterfs|s3fs|rclone|davfs2?))$/
const MEMORY_TYPES = /^(tmpfs|ramfs)$/
const STACKED_TYPES = /^(overlay|aufs)$/

/** Each method returns null if the file, folder or path does not exist. */
export interface LinuxSystem {
  text(file: string): string | null
  list(folder: string): string[] | null
  realpath(path: string): string | null
  /** The device number of a path's file system: `8:1`. */
  device(path: string): string | null
}

export interface Mount {
  device: string
  point: string
  type: string
  source: string
  options: string
}

export function linuxDisks(system: LinuxSystem, path: string, depth = MAX_DEPTH): DiskLocation {
  const real = system.realpath(path)
  if (real === null || depth === 0) return null
  const mount = mountOf(system.text('/proc/self/mountinfo') ?? '', real)
  // In a chroot the root need not be a mount point.
  if (!mount) return disksOfDevice(system, system.device(real), depth)
  if (NETWORK_TYPES.test(mount.type)) return { network: mount.source }
  if (MEMORY_TYPES.test(mount.type)) return { disks: new Set(['memory']) }
  if (mount.type === 'zfs') return { disks: new Set([`zfs ${mount.source.split('/')[0]}`]) }
  if (STACKED_TYPES.test(mount.type)) {
    const upper = /(?:^|,)upperdir=([^,]+)/.exec(mount.options)?.[1]
    return upper === undefined ? null : linuxDisks(system, upper, depth - 1)
  }
  return disksOfDevice(system, mount.device, depth) ?? disksOfSource(system, mount.source, depth)
}

function disksOfDevice(system: LinuxSystem, device: string | null, depth: number): DiskLocation {
  const node = device && system.realpath(`/sys/dev/block/${device}`)
  return node ? disksOfNode(system, node, depth) : null
}

/**
 * A file system over several devices (btrfs) has a device number of its own, and names one device as its
 * source.
 */
function disksOfSource(system: LinuxSystem, source: string, depth: number): DiskLocation {
  const device = source.startsWith('/dev/') ? system.realpath(source) : null
  const node = device && system.realpath(`/sys/class/block/${basename(device)}`)
  return node ? disksOfNode(system, node, depth) : null
}

/** The mount with the longest mount point above the path; of two at the same point, the later. */
export function mountOf(mountinfo: string, path: string): Mount | null {
  let found: Mount | null = null
  for (const line of mountinfo.split('\n')) {
    const mount = parseMount(line)
    if (!mount) continue
    const above = mount.point === '/' || path === mount.point || path.startsWith(`${mount.point}/`)
    if (above && mount.point.length >= (found?.point.length ?? 0)) found = mount
  }
  return found
}

function parseMount(line: string): Mount | null {
  const [before = '', after] = line.split(' - ')
  const [, , device, , point] = before.split(' ')
  const [type, source, options] = after?.split(' ') ?? []
  if (!device || !point || !type || !source) return null
  return {
    device,
    point: unescaped(point),
    type,
    source: unescaped(source),
    options: unescaped(options ?? ''),
  }
}

/** Decodes mountinfo's octal escapes: a space is `\040`. */
const unescaped = (text: string) =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

function disksOfNode(system: LinuxSystem, node: string, depth: number): DiskLocation {
  if (depth === 0) return null
  if (system.text(`${node}/partition`) !== null) return disksOfNode(system, dirname(node), depth - 1)
  const backing = system.text(`${node}/loop/backing_file`)
  if (backing !== null) return linuxDisks(system, backing.trim(), depth - 1)
  const slaves = system.list(`${node}/slaves`) ?? []
  if (slaves.length === 0) return { disks: new Set([basename(node)]) }
  const disks = new Set<string>()
  for (const slave of slaves) {
    const below = system.realpath(`${node}/slaves/${slave}`)
    const found = below === null ? null : disksOfNode(system, below, depth - 1)
    if (!found || 'network' in found) return found
    for (const disk of found.disks) disks.add(disk)
  }
  return { disks }
}

const orNull = <T>(ask: () => T): T | null => {
  try {
    return ask()
  } catch {
    return null
  }
}

export const linuxSystem: LinuxSystem = {
  text: file => orNull(() => readFileSync(file, 'utf8')),
  list: folder => orNull(() => readdirSync(folder)),
  realpath: path => orNull(() => realpathSync(path)),
  device: path =>
    orNull(() => {
      const { dev } = statSync(path, { bigint: true })
      // makedev(3) of the C library.
      const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n)
      const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n)
      return `${major}:${minor}`
    }),
}

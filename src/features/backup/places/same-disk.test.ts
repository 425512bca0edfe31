import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { compareDisks, type DiskLocation } from './disk-location.ts'
import { findMount, type LinuxSystem, linuxDisks, linuxSystem } from './disks-linux.ts'
import { parseDrives, windowsDisks } from './disks-windows.ts'
import { compareFolderDisks } from './same-disk.ts'

/** A machine on paper: mounts by line, and of sysfs what is asked for. */
const MOUNTS = `
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:21 / /proc rw - proc proc rw
30 22 8:2 / /daten rw - ext4 /dev/sda2 rw
31 22 8:17 / /platte\\040zwei rw - ext4 /dev/sdb1 rw
32 22 253:0 / /verschluesselt rw - ext4 /dev/mapper/krypt rw
33 22 9:0 / /spiegel rw - ext4 /dev/md0 rw
34 22 7:0 / /schleife rw - ext4 /dev/loop0 rw
35 22 0:40 /@home /btrfs rw - btrfs /dev/sdb3 rw,subvolid=256
36 22 0:41 / /netz rw - nfs4 server:/export rw
37 22 0:42 / /freigabe rw - cifs //server/sicherung rw
38 22 0:43 / /fluechtig rw - tmpfs tmpfs rw
39 22 0:44 / /schicht rw - overlay overlay rw,lowerdir=/a,upperdir=/daten/upper,workdir=/daten/work
40 22 0:45 / /behaelter rw - overlay overlay rw,lowerdir=/a,upperdir=/nicht/sichtbar,workdir=/w
41 22 0:46 / /zfs/a rw - zfs tank/a rw
42 22 0:47 / /zfs/b rw - zfs tank/b rw
43 22 0:48 / /seltsam rw - fuse.unionfs branches rw
44 22 259:2 / /nvme rw - xfs /dev/nvme0n1p2 rw
45 30 8:18 / /daten/darin rw - ext4 /dev/sdb2 rw
46 22 7:1 / /kreis rw - ext4 /dev/loop1 rw`

const BLOCK = '/sys/devices/pci/block'
const NODES: Record<string, string> = {
  '8:1': `${BLOCK}/sda/sda1`,
  '8:2': `${BLOCK}/sda/sda2`,
  '8:17': `${BLOCK}/sdb/sdb1`,
  '8:18': `${BLOCK}/sdb/sdb2`,
  '8:19': `${BLOCK}/sdb/sdb3`,
  '253:0': '/sys/devices/virtual/block/dm-0',
  '9:0': '/sys/devices/virtual/block/md0',
  '7:0': '/sys/devices/virtual/block/loop0',
  '7:1': '/sys/devices/virtual/block/loop1',
  '259:2': `${BLOCK}/nvme0n1/nvme0n1p2`,
}
const TEXTS: Record<string, string> = {
  '/proc/self/mountinfo': MOUNTS,
  '/sys/devices/virtual/block/loop0/loop/backing_file': '/daten/abbild.img\n',
  '/sys/devices/virtual/block/loop1/loop/backing_file': '/kreis/abbild.img\n',
}
for (const node of Object.values(NODES))
  if (/\d$/.test(node) && node.startsWith(BLOCK)) TEXTS[`${node}/partition`] = '1\n'
const SLAVES: Record<string, Record<string, string>> = {
  '/sys/devices/virtual/block/dm-0': { sda2: `${BLOCK}/sda/sda2` },
  '/sys/devices/virtual/block/md0': { sdb1: `${BLOCK}/sdb/sdb1`, nvme0n1p2: `${BLOCK}/nvme0n1/nvme0n1p2` },
}
const machine: LinuxSystem = {
  readText: file => TEXTS[file] ?? null,
  listFolder: folder => Object.keys(SLAVES[folder.replace(/\/slaves$/, '')] ?? {}),
  realpath(path) {
    const device = /^\/sys\/dev\/block\/(.+)$/.exec(path)?.[1]
    if (device) return NODES[device] ?? null
    if (path.startsWith('/sys/class/block/')) return path.endsWith('/sdb3') ? `${BLOCK}/sdb/sdb3` : null
    const [, node = '', slave = ''] = /^(.+)\/slaves\/(.+)$/.exec(path) ?? []
    if (slave) return SLAVES[node]?.[slave] ?? null
    return path.startsWith('/nicht') ? null : path
  },
  deviceOf: () => null,
}
const disks = (path: string) => {
  const found = linuxDisks(machine, path)
  return found && ('network' in found ? found : [...found.disks].sort())
}

describe('Linux', () => {
  test('in a chroot whose root is no mount point, the device number tells the disk', () => {
    const mountinfo = MOUNTS.replace(/^22 .*$/m, '')
    const text = (file: string) => (file === '/proc/self/mountinfo' ? mountinfo : machine.readText(file))
    expect(linuxDisks({ ...machine, readText: text }, '/home')).toBeNull()
    expect(linuxDisks({ ...machine, readText: text, deviceOf: () => '8:1' }, '/home')).toEqual({
      disks: new Set(['sda']),
    })
  })

  test.if(process.platform === 'linux')('device numbers are those of mountinfo', () => {
    const mount = findMount(linuxSystem.readText('/proc/self/mountinfo')!, '/proc')!
    expect(linuxSystem.deviceOf('/proc')).toBe(mount.device)
  })

  test.each([
    ['/', ['sda']],
    ['/home/x', ['sda']],
    ['/daten/a', ['sda']],
    ['/daten/darin/a', ['sdb']],
    ['/datenbank', ['sda']],
    ['/platte zwei', ['sdb']],
    ['/verschluesselt', ['sda']],
    ['/spiegel', ['nvme0n1', 'sdb']],
    ['/schleife', ['sda']],
    ['/btrfs', ['sdb']],
    ['/netz/a', { network: 'server:/export' }],
    ['/freigabe', { network: '//server/sicherung' }],
    ['/fluechtig', ['memory']],
    ['/schicht/a', ['sda']],
    ['/zfs/a', ['zfs tank']],
    ['/nvme', ['nvme0n1']],
    // Unknown disks.
    ['/behaelter', null],
    ['/seltsam', null],
    ['/nicht/da', null],
    ['/kreis', null],
  ])('%s lies on %j', (path, expected) => expect(disks(path)).toEqual(expected))

  test('of two mounts at one point the later one counts', () => {
    const twice = '1 0 8:1 / /a rw - ext4 /dev/sda1 rw\n2 0 8:2 / /a rw - ext4 /dev/sda2 rw'
    expect(findMount(twice, '/a/b')?.device).toBe('8:2')
    expect(findMount('nonsense\n\n1 2', '/a')).toBeNull()
  })

  test('this machine: a folder is on the disk of itself', async () => {
    expect(await compareFolderDisks(tmpdir(), tmpdir())).toBe('same')
    expect(await compareFolderDisks(tmpdir(), `${tmpdir()}/does/not/exist/yet`)).toBe('same')
  })
})

describe('Windows', () => {
  const output = 'C local 0\r\nD local 0\r\nE local 1\r\nZ network \\\\Server\\Sicherung\r\nX unknown\r\n'
  const on = (path: string): DiskLocation => parseDrives(output).get(path) ?? null

  test('partitions of one disk are one disk, other disks and servers are not', () => {
    expect(compareDisks(on('C'), on('D'))).toBe('same')
    expect(compareDisks(on('C'), on('E'))).toBe('different')
    expect(compareDisks(on('C'), on('Z'))).toBe('different')
    expect(compareDisks(on('C'), on('X'))).toBe('unknown')
  })

  test('only drives are asked for, a share is known by its name', async () => {
    const asked: string[] = []
    const ask = async (script: string) => {
      asked.push(script)
      return output
    }
    expect(await windowsDisks(['d:\\a', '\\\\Server\\x', '\\\\?\\E:\\long', 'relative'], ask)).toEqual([
      { disks: new Set(['disk 0']) },
      { network: 'server' },
      { disks: new Set(['disk 1']) },
      null,
    ])
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain("'D','E'")
    expect(await windowsDisks(['\\\\server\\x'], ask)).toEqual([{ network: 'server' }])
    expect(asked).toHaveLength(1)
  })

  test('an answer that makes no sense is none', () => {
    expect(parseDrives('Get-Partition : Access denied\nC local\nD local x').size).toBe(0)
  })
})

test.each([
  [{ network: 'a' }, { network: 'a' }, 'same'],
  [{ network: 'a' }, { network: 'b' }, 'unknown'],
  [null, { network: 'b' }, 'unknown'],
  [{ disks: new Set(['a', 'b']) }, { disks: new Set(['b', 'c']) }, 'same'],
] as const)('%p and %p: %s', (one, other, expected) => expect(compareDisks(one, other)).toBe(expected))

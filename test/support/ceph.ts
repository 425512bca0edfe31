/**
 * A real S3-compatible store for the tests: a single-node Ceph (monitor, storage daemon, gateway) on free
 * loopback ports in a temporary folder. Ready in a few seconds; ends with the process that started it.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realDisk } from './folder.ts'
import { startTool } from './tools.ts'
import { eventually } from './wait.ts'

export const CEPH_PROGRAMS = [
  'ceph-mon',
  'ceph-osd',
  'radosgw',
  'radosgw-admin',
  'ceph-authtool',
  'monmaptool',
  'osdmaptool',
]
export const findCeph = () =>
  CEPH_PROGRAMS.every(program => Bun.which(program)) ? Bun.which('radosgw') : null

/** Debian's Ceph 18 looks for its object classes in a relative folder: `usr/lib/…/rados-classes`. */
const PROGRAMS_CWD = '/'

/** The location and credentials of a bucket, as the service is configured with. */
export interface S3Place {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface Ceph extends AsyncDisposable {
  readonly place: S3Place
  /** Kills only the gateway: stored objects stay. */
  killGateway(): Promise<void>
  startGateway(): Promise<void>
  pauseGateway(): void
  resumeGateway(): void
}

const KEY = { accessKeyId: 'fundus-test', secretAccessKey: 'fundus-test-secret' }
/** Bytes that a second key may store, for tests of a full store. */
export const SMALL_QUOTA = 1024 * 1024
export const SMALL_KEY = { accessKeyId: 'fundus-small', secretAccessKey: 'fundus-small-secret' }

/** `flushed`: stored objects are flushed to a real disk, as for an operator; otherwise they are in memory. */
export const startCeph = ({ flushed = false } = {}) =>
  startTool('radosgw', findCeph, () => startDaemons(flushed))

async function startDaemons(flushed: boolean): Promise<Ceph> {
  const parent = flushed ? realDisk() : existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  // Short, because the path of a socket below it may have at most 107 characters.
  const folder = await mkdtemp(join(parent, 'ceph-'))
  const [monitor, monitorOld, port] = (await freePorts(3)) as [number, number, number]
  const fsid = randomUUID()
  const addresses = `[v2:127.0.0.1:${monitor},v1:127.0.0.1:${monitorOld}]`
  const conf = join(folder, 'ceph.conf')
  await Bun.write(
    conf,
    configuration({ folder, fsid, addresses, port, objects: flushed ? ON_DISK : IN_MEMORY }),
  )
  const daemons = createDaemons(folder, conf)

  async function startGateway(): Promise<void> {
    daemons.start('gateway', ['radosgw', '-n', 'client.rgw'])
    await eventually('the gateway answers', () => daemons.check().then(() => answers(port)), 60_000)
  }
  const ceph: Ceph = {
    place: { endpoint: `http://127.0.0.1:${port}`, region: 'default', ...KEY },
    startGateway,
    killGateway: () => daemons.end('gateway'),
    pauseGateway: () => daemons.signal('gateway', 'SIGSTOP'),
    resumeGateway: () => daemons.signal('gateway', 'SIGCONT'),
    async [Symbol.asyncDispose]() {
      await daemons.endAll()
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await make({ folder, conf, fsid, addresses })
    daemons.start('monitor', ['ceph-mon', '-i', 'a'])
    await mkdir(join(folder, 'osd.0'))
    await run('ceph-osd', '-c', conf, '-i', '0', '--mkfs', '--osd-uuid', randomUUID())
    daemons.start('store', ['ceph-osd', '-i', '0'])
    await startGateway()
    await makeUsers(conf)
  } catch (error) {
    await ceph[Symbol.asyncDispose]()
    throw error
  }
  return ceph
}

/**
 * Creates what a Ceph needs before its first start: keys of the daemons, the first map of the monitor, and
 * its data.
 */
async function make(parts: { folder: string; conf: string; fsid: string; addresses: string }): Promise<void> {
  const { folder, conf, fsid, addresses } = parts
  const keyring = join(folder, 'keyring')
  const caps = (...pairs: string[]) => pairs.flatMap(cap => ['--cap', ...cap.split('=')])
  const users: [name: string, caps: string[]][] = [
    ['mon.', caps('mon=allow *')],
    ['client.admin', caps('mon=allow *', 'osd=allow *', 'mgr=allow *')],
    ['osd.0', caps('mon=allow profile osd', 'osd=allow *')],
    ['client.rgw', caps('mon=allow rw', 'osd=allow rwx')],
  ]
  await Bun.write(keyring, '')
  for (const [name, rights] of users) await run('ceph-authtool', keyring, '--gen-key', '-n', name, ...rights)
  const [monmap, osdmap] = [join(folder, 'monmap'), join(folder, 'osdmap')]
  await run('monmaptool', '--create', '--clobber', '--fsid', fsid, '--addv', 'a', addresses, monmap)
  // The first map already contains the storage daemon, so the client written in Python is not needed.
  await run('osdmaptool', '--createsimple', '1', '--clobber', osdmap)
  const maps = ['--monmap', monmap, '--osdmap', osdmap, '--fsid', fsid, '--keyring', keyring]
  await run('ceph-mon', '-c', conf, '-i', 'a', '--mkfs', ...maps)
}

async function makeUsers(conf: string): Promise<void> {
  const admin = (...args: string[]) => run('radosgw-admin', '-c', conf, '-n', 'client.rgw', ...args)
  const create = (uid: string, { accessKeyId, secretAccessKey }: typeof KEY) =>
    admin(
      ...['user', 'create', '--uid', uid, '--display-name', uid],
      ...['--access-key', accessKeyId, '--secret-key', secretAccessKey],
    )
  await create('fundus', KEY)
  await create('small', SMALL_KEY)
  const quota = ['--quota-scope=user', '--uid', 'small']
  await admin('quota', 'set', ...quota, '--max-size', String(SMALL_QUOTA))
  await admin('quota', 'enable', ...quota)
}

function createDaemons(folder: string, conf: string) {
  const running = new Map<string, Bun.Subprocess>()

  async function end(name: string): Promise<void> {
    const daemon = running.get(name)
    running.delete(name)
    daemon?.kill('SIGKILL')
    await daemon?.exited
  }

  return {
    end,
    start(name: string, [program = '', ...args]: string[]) {
      const output = openSync(join(folder, `${name}.out`), 'a')
      // The kernel ends the daemon when this process ends, even by SIGKILL.
      const command = ['setpriv', '--pdeathsig', 'KILL', program, '-c', conf, ...args, '-f']
      running.set(name, Bun.spawn(command, { cwd: PROGRAMS_CWD, stdio: ['ignore', output, output] }))
      closeSync(output)
    },
    signal(name: string, signal: NodeJS.Signals) {
      running.get(name)?.kill(signal)
    },
    /** Rejects if a daemon has ended by itself. */
    async check() {
      for (const [name, daemon] of running) {
        if (daemon.exitCode === null) continue
        const output = await readFile(join(folder, `${name}.out`), 'utf8')
        throw new Error(`The ${name} of Ceph has ended: ${output.slice(-1500)}`)
      }
    },
    async endAll() {
      for (const name of [...running.keys()]) await end(name)
    },
  }
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: PROGRAMS_CWD, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0)
    throw new Error(`${command[0]} failed: ${errors.slice(-1500)}${output.slice(-500)}`)
}

async function freePorts(count: number): Promise<number[]> {
  const listening = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await new Promise(resolve => server.once('listening', resolve))
      return server
    }),
  )
  const ports = listening.map(server => (server.address() as { port: number }).port)
  for (const server of listening) await new Promise(resolve => server.close(resolve))
  return ports
}

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    response => response.body?.cancel().then(() => true) ?? true,
    () => false,
  )

interface Layout {
  folder: string
  fsid: string
  addresses: string
  port: number
  /** The lines that configure where the storage daemon keeps objects. */
  objects: string
}

const IN_MEMORY = `osd objectstore = memstore
memstore device bytes = 4294967296`
/** The file that holds the objects grows as it is written. */
const ON_DISK = `osd objectstore = bluestore
bluestore block size = 21474836480`

/** Short intervals make it start quickly; one copy of everything is enough here. */
const configuration = ({ folder, fsid, addresses, port, objects }: Layout) => `[global]
fsid = ${fsid}
mon host = ${addresses}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth allow insecure global id reclaim = false
run dir = ${folder}
admin socket = ${folder}/$name.$pid.asok
log file = ${folder}/$name.log
mon cluster log file = ${folder}/cluster.log
mon data = ${folder}/mon.a
osd data = ${folder}/osd.0
rgw data = ${folder}/rgw
keyring = ${folder}/keyring
crash dir = ${folder}/crash
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
mon data avail warn = 1
paxos propose interval = 0.02
paxos min wait = 0.01
mon tick interval = 1
objecter tick interval = 0.5
osd client watch timeout = 2
${objects}
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw enable apis = s3
rgw thread pool size = 32
rgw num rados handles = 1
rgw gc obj min wait = 5
rgw gc processor period = 10
rgw override bucket index max shards = 1
rgw dynamic resharding = false
rgw bucket quota ttl = 0
rgw user quota bucket sync interval = 1
debug ms = 0/0
`

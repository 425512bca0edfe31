/**
 * A second S3-compatible store for the tests, without conditional requests: OpenStack Swift, its proxy and
 * one server each for accounts, containers and objects, on free loopback ports in a temporary folder.
 */
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { S3Place } from './ceph.ts'
import { openFolder } from './folder.ts'
import { freePort, listens } from './ports.ts'
import { startTool } from './tools.ts'
import { eventually } from './wait.ts'

const SERVERS = ['account', 'container', 'object'] as const
const PROGRAMS = [...SERVERS, 'proxy'].map(name => `swift-${name}-server`)
export const findSwift = () =>
  PROGRAMS.every(program => Bun.which(program)) ? Bun.which('swift-proxy-server') : null

export interface Swift extends AsyncDisposable {
  readonly place: S3Place
}

export const startSwift = () => startTool('swift-proxy', findSwift, startServers)

async function startServers(): Promise<Swift> {
  const opened = await openFolder()
  const folder = opened.path
  const running: Bun.Subprocess[] = []
  const swift: Swift & { place: S3Place } = {
    place: { endpoint: '', region: 'us-east-1', accessKeyId: 'test:tester', secretAccessKey: 'testing' },
    async [Symbol.asyncDispose]() {
      for (const server of running) server.kill('SIGKILL')
      await Promise.all(running.map(server => server.exited))
      await opened[Symbol.asyncDispose]()
    },
  }
  const start = async (name: string, port: number) => {
    const log = join(folder, `${name}.log`)
    const output = openSync(log, 'a')
    // The kernel ends the server when this process ends, even by SIGKILL.
    const command = ['setpriv', '--pdeathsig', 'KILL', `swift-${name}-server`, join(folder, `${name}.conf`)]
    const server = Bun.spawn(command, { cwd: folder, stdio: ['ignore', output, output] })
    closeSync(output)
    running.push(server)
    const check = async () => {
      if (server.exitCode !== null)
        throw new Error(`swift-${name}-server has ended: ${(await readFile(log, 'utf8')).slice(-1500)}`)
      return listens(port)
    }
    await eventually(`swift-${name}-server listens`, check, 60_000)
  }
  try {
    await mkdir(join(folder, 'node', 'disk'), { recursive: true })
    await Bun.write(join(folder, 'swift.conf'), COMMON)
    const begin = async (name: (typeof SERVERS)[number]) => {
      const port = freePort()
      await makeRing(folder, name, port)
      await Bun.write(join(folder, `${name}.conf`), storageServer(folder, name, port))
      await start(name, port)
    }
    await Promise.all(SERVERS.map(begin))
    const port = freePort()
    await Bun.write(join(folder, 'proxy.conf'), proxyServer(folder, port))
    await start('proxy', port)
    swift.place.endpoint = `http://127.0.0.1:${port}`
  } catch (error) {
    await swift[Symbol.asyncDispose]()
    throw error
  }
  return swift
}

/** Says which server holds what: here a single one holds everything. */
async function makeRing(folder: string, name: string, port: number): Promise<void> {
  const builder = join(folder, `${name}.builder`)
  for (const step of [
    ['create', '2', '1', '0'],
    ['add', `r1z1-127.0.0.1:${port}/disk`, '1'],
    ['rebalance'],
  ]) {
    const child = Bun.spawn(['swift-ring-builder', builder, ...step], { stdio: ['ignore', 'pipe', 'pipe'] })
    const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
    if (code !== 0) throw new Error(`swift-ring-builder failed: ${output.slice(-1500)}`)
  }
}

const COMMON = `[swift-hash]
swift_hash_path_suffix = fundus
[storage-policy:0]
name = only
default = yes
`

const everyServer = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'node')}
mount_check = false
disable_fallocate = true
`

const storageServer = (folder: string, name: string, port: number) => `${everyServer(folder, port)}
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`

const proxyServer = (folder: string, port: number) => `${everyServer(folder, port)}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
# Required by s3api, which goes without it where no memcached answers.
[filter:cache]
use = egg:swift#memcache
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
`

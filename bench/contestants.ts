/**
 * What a user would take instead of Fundus, each on the files below `root`: nginx, Caddy, rclone and HFS; and
 * the bare runtime, to tell what of a difference is its own.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../test/support/ports.ts'
import type { Line } from './line.ts'
import { SERVER_CORE } from './machine.ts'
import type { Server } from './server.ts'

/** Another process may take the port between our choosing it and the server listening. */
const ATTEMPTS = 3

export interface Place {
  /** For configurations and temporary files; the files to serve lie in `root/f` below it. */
  folder: string
  line: Line
  openFileCache: boolean
  /** The server's own core unless given. */
  cores?: string
  /** One unless given; nginx only. */
  workers?: number
}

interface Contestant {
  name: string
  /** What its uploads are worth when the power goes. */
  keeps: string
  /** Writes what the server needs, and answers the command that starts it. */
  prepare(place: Place, port: number): Promise<string[]>
  /** An address that it answers with 200 or 204 once it is up. */
  alive: string
  /** Where uploads go; null: it takes none. */
  uploads: string | null
  /** Folders of uploads are made first (WebDAV's MKCOL). */
  needsFolders?: boolean
}

const NGINX: Contestant = {
  name: 'nginx',
  keeps: 'nginx (dav PUT): flushes nothing, hashes nothing, keeps no record',
  alive: '/alive',
  uploads: '/up/',
  async prepare({ folder, line, openFileCache, workers = 1 }, port) {
    const file = join(folder, 'nginx.conf')
    const addresses = [...new Set(['127.0.0.1', line.address])].map(address => `${address}:${port}`)
    await writeFile(file, nginxConfiguration(folder, addresses, { openFileCache, workers }))
    return ['nginx', '-p', folder, '-c', file]
  },
}

const CADDY: Contestant = {
  name: 'Caddy',
  keeps: 'Caddy: takes no uploads without a module that Debian does not have',
  alive: '/f/alive.txt',
  uploads: null,
  async prepare({ folder, line }, port) {
    const file = join(folder, 'Caddyfile')
    const bind = [...new Set(['127.0.0.1', line.address])].join(' ')
    const site = `{\n admin off\n auto_https off\n}\nhttp://:${port} {\n bind ${bind}\n root * ${folder}/root\n file_server\n}\n`
    await writeFile(file, site)
    return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile']
  },
}

const RCLONE: Contestant = {
  name: 'rclone',
  keeps: 'rclone serve webdav: flushes nothing, keeps no record',
  // Not a file: rclone remembers for minutes what it saw in a folder.
  alive: '/',
  uploads: '/up/',
  needsFolders: true,
  prepare: async ({ folder, line }, port) => [
    'rclone',
    'serve',
    'webdav',
    join(folder, 'root'),
    '--addr',
    `${listenOn(line)}:${port}`,
  ],
}

/** An old one of its parts is no longer to be had; the override names the one that is. */
const HFS_PACKAGE = {
  private: true,
  dependencies: { hfs: '0.52.9' },
  overrides: { 'typedarray.prototype.slice': '1.0.5' },
}
const HFS_FOLDER = join(import.meta.dir, '../node_modules/.cache/fundus-bench/hfs')

const HFS: Contestant = {
  name: 'hfs',
  keeps: 'hfs: flushes nothing, hashes nothing, keeps no record',
  alive: '/f/alive.txt',
  uploads: '/up/',
  async prepare({ folder, line }, port) {
    await installHfs()
    const cwd = join(folder, 'hfs')
    await mkdir(cwd, { recursive: true })
    const share = (name: string) => ({
      name,
      source: join(folder, 'root', name),
      can_upload: true,
      can_overwrite: true,
    })
    const settings = {
      ...{ port, listen_interface: listenOn(line), https_port: -1, open_browser_at_start: false },
      ...{ log: '', error_log: '', auto_check_update: false, vfs: { children: [share('f'), share('up')] } },
    }
    // YAML holds JSON.
    await writeFile(join(cwd, 'config.yaml'), JSON.stringify(settings))
    return ['node', join(HFS_FOLDER, 'node_modules/hfs/src/index.js'), '--cwd', cwd]
  },
}

async function installHfs(): Promise<void> {
  if (existsSync(join(HFS_FOLDER, 'node_modules/hfs'))) return
  await mkdir(HFS_FOLDER, { recursive: true })
  await writeFile(join(HFS_FOLDER, 'package.json'), JSON.stringify(HFS_PACKAGE))
  console.log('installing hfs …')
  const install = ['npm', 'install', '--no-audit', '--no-fund']
  const { exitCode, stderr } = Bun.spawnSync(install, { cwd: HFS_FOLDER, timeout: 300_000 })
  if (exitCode !== 0) throw new Error(`npm install of hfs: ${stderr.toString()}`)
}

/** For servers that listen on one address only. */
const listenOn = ({ address }: Line) => (address === '127.0.0.1' ? address : '0.0.0.0')

const BARE: Contestant = {
  name: 'bare runtime',
  keeps:
    'bare runtime (bench/bare-server.ts): the most that the HTTP server of the runtime can do; keeps uploads as safely: hashed, file, folder and a row flushed',
  alive: '/f/alive.txt',
  uploads: '/up/',
  prepare: async ({ folder, line }, port) => [
    ...[process.execPath, join(import.meta.dir, 'bare-server.ts')],
    ...[join(folder, 'root'), listenOn(line), String(port)],
  ],
}

export const startNginx = (place: Place) => startContestant(NGINX, place)

/** All others, with a sentence each on what their uploads are worth. */
export const OTHERS: readonly Contestant[] = [BARE, CADDY, RCLONE, HFS]
export const KEEPS = [NGINX, ...OTHERS].map(({ keeps }) => keeps)

export async function startContestant(contestant: Contestant, place: Place): Promise<Server> {
  for (const each of ['root/f', 'root/up', 'tmp']) await mkdir(join(place.folder, each), { recursive: true })
  await writeFile(join(place.folder, 'root/f/alive.txt'), 'alive')
  for (let attempt = 1; ; attempt++) {
    const port = freePort()
    const command = await contestant.prepare(place, port)
    const child = Bun.spawn(['taskset', '-c', place.cores ?? SERVER_CORE, ...command], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const stop = () => {
      if (child.exitCode === null) child.kill('SIGTERM')
    }
    // A benchmark that is broken off must leave no server behind.
    process.on('exit', stop)
    if (await answers(`http://127.0.0.1:${port}${contestant.alive}`, child))
      return asServer(contestant, port, child, stop)
    stop()
    await child.exited
    if (attempt === ATTEMPTS)
      throw new Error(`${contestant.name} did not start: ${await new Response(child.stderr).text()}`)
  }
}

function asServer(
  { name, uploads, needsFolders }: Contestant,
  port: number,
  child: Bun.Subprocess,
  stop: () => void,
): Server {
  return {
    name,
    port,
    pid: child.pid,
    ...(uploads === null && { readOnly: true }),
    upload: path => ({ method: 'PUT', target: `${uploads}${path}`, headers: {} }),
    ...(needsFolders && {
      async makeFolder(folder: string) {
        const { status } = await fetch(`http://127.0.0.1:${port}${uploads}${folder}`, { method: 'MKCOL' })
        if (status !== 201) throw new Error(`${name} made no folder: ${status}`)
      },
    }),
    lastWords: () => (child.exitCode === null ? '' : `ended with ${child.exitCode}`),
    async stop() {
      stop()
      await child.exited
      process.off('exit', stop)
    },
  }
}

async function answers(url: string, child: Bun.Subprocess): Promise<boolean> {
  for (
    const deadline = Date.now() + 20_000;
    Date.now() < deadline && child.exitCode === null;
    await Bun.sleep(50)
  ) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return true
  }
  return false
}

/**
 * Tuned as an operator would for files: sendfile, no log, connections that stay open and are spread evenly.
 * Its workers run as whoever runs the benchmark, since that user's temporary folder is closed to others.
 */
function nginxConfiguration(
  dir: string,
  addresses: string[],
  { openFileCache, workers }: { openFileCache: boolean; workers: number },
): string {
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes ${workers};
pid ${dir}/nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  etag on;
  keepalive_timeout 600;
  keepalive_requests 1000000000;
  default_type application/octet-stream;
  client_max_body_size 128m;
  client_body_buffer_size 256k;
  client_body_temp_path ${dir}/tmp/body;
  proxy_temp_path ${dir}/tmp/proxy;
  fastcgi_temp_path ${dir}/tmp/fastcgi;
  uwsgi_temp_path ${dir}/tmp/uwsgi;
  scgi_temp_path ${dir}/tmp/scgi;
  ${openFileCache ? 'open_file_cache max=50000 inactive=600s; open_file_cache_valid 600s;' : ''}
  server {
    ${addresses.map(address => `listen ${address} backlog=1024${workers > 1 ? ' reuseport' : ''};`).join(' ')}
    root ${dir}/root;
    location = /alive { return 204; }
    location /up/ { dav_methods PUT; create_full_put_path on; }
  }
}
`
}

/** The proxies of deploy/, started for real with their files; only names, ports and folders are changed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder } from './folder.ts'
import { findNginx, temporaryPaths } from './nginx.ts'
import { freePort, listens } from './ports.ts'
import { findTool, toolOrFail } from './tools.ts'
import { eventually } from './wait.ts'

const inSbin = (name: string) => () => Bun.which(name, { PATH: `${process.env.PATH ?? ''}:/usr/sbin` })

interface Place {
  folder: string
  port: number
}

interface Proxy {
  package: 'nginx-light' | 'caddy' | 'apache2-bin' | 'haproxy'
  find: () => string | null
  /** The file of deploy/, and what has to surround it if it is not a complete configuration. */
  file: string
  around?: (text: string, place: Place) => string
  /** The line of the file with the listening address, and its replacement in a test. */
  listening: readonly [from: string, to: (port: number) => string]
  command: (program: string, configuration: string, place: Place) => string[]
}

const MODULES = '/usr/lib/apache2/modules'
const APACHE_MODULES = ['mpm_event', 'authz_core', 'proxy', 'proxy_http']

export const PROXIES = {
  nginx: {
    package: 'nginx-light',
    find: findNginx,
    file: 'nginx.conf',
    around: (text, { folder }) => `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
      events {}
      http {
        access_log off;
        ${temporaryPaths(folder)}
        proxy_cache_path ${folder}/cache keys_zone=all:1m;
        proxy_cache all;
        proxy_cache_valid any 30m;
        ${text}
      }`,
    listening: ['listen 80;', port => `listen 127.0.0.1:${port};`],
    command: (program, configuration, { folder }) => [
      program,
      '-p',
      folder,
      '-c',
      configuration,
      '-e',
      `${folder}/log`,
    ],
  },
  Caddy: {
    package: 'caddy',
    find: inSbin('caddy'),
    file: 'Caddyfile',
    around: text => `{\n\tadmin off\n}\n${text}`,
    listening: ['media.example.org {', port => `http://:${port} {\n\tbind 127.0.0.1`],
    command: (program, configuration) => [
      program,
      'run',
      '--config',
      configuration,
      '--adapter',
      'caddyfile',
    ],
  },
  Apache: {
    package: 'apache2-bin',
    find: inSbin('apache2'),
    file: 'apache.conf',
    around: (text, { folder, port }) => `ServerRoot ${folder}
      ServerName localhost
      PidFile ${folder}/pid
      ErrorLog ${folder}/log
      DefaultRuntimeDir ${folder}
      Listen 127.0.0.1:${port}
      ${APACHE_MODULES.map(name => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
      ${text}`,
    listening: ['<VirtualHost *:80>', port => `<VirtualHost 127.0.0.1:${port}>`],
    command: (program, configuration) => [program, '-X', '-f', configuration],
  },
  HAProxy: {
    package: 'haproxy',
    find: inSbin('haproxy'),
    file: 'haproxy.cfg',
    listening: ['bind :80', port => `bind 127.0.0.1:${port}`],
    command: (program, configuration) => [program, '-db', '-f', configuration],
  },
} satisfies Record<string, Proxy>

export type ProxyName = keyof typeof PROXIES

/** A proxy's file with one line changed; fails if the line is missing. */
export const replaceOnce = (text: string, from: string, to: string) => {
  if (!text.includes(from))
    throw new Error(`deploy/ has no line "${from}" any more: mend test/support/proxies.ts`)
  return text.replace(from, to)
}

/**
 * Starts the proxy in front of the service that listens on `servicePort`; returns the proxy's port. `alter`
 * changes its file.
 */
export async function startProxy(
  name: ProxyName,
  servicePort: number,
  alter = (text: string) => text,
): Promise<{ port: number } & AsyncDisposable> {
  const proxy: Proxy = PROXIES[name]
  const program = toolOrFail(proxy.package, proxy.find)
  const folder = await openFolder()
  const place = { folder: folder.path, port: freePort() }
  const [from, to] = proxy.listening
  const file = readFileSync(join(import.meta.dir, '../../deploy', proxy.file), 'utf8')
  const pointed = replaceOnce(
    replaceOnce(alter(file), '127.0.0.1:8080', `127.0.0.1:${servicePort}`),
    from,
    to(place.port),
  )
  const configuration = join(folder.path, proxy.file)
  await Bun.write(configuration, proxy.around?.(pointed, place) ?? pointed)
  const child = Bun.spawn(proxy.command(program, configuration, place), {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: Bun.file(join(folder.path, 'stderr')),
    env: { ...process.env, HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    await folder[Symbol.asyncDispose]()
  }
  try {
    await eventually(`${name} listens`, async () => {
      if (child.exitCode !== null) throw new Error(readFileSync(join(folder.path, 'stderr'), 'utf8'))
      return await listens(place.port)
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { port: place.port, [Symbol.asyncDispose]: stop }
}

export const findProxy = (name: ProxyName) => findTool(PROXIES[name].package, PROXIES[name].find)

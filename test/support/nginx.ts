/** A real nginx in front of the service under test, with a configuration that the test chooses. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, listens } from './ports.ts'
import { toolOrFail } from './tools.ts'
import { eventually } from './wait.ts'

export interface RunningProxy extends AsyncDisposable {
  /** One port per server block, in the given order. */
  readonly ports: readonly number[]
}

/** Debian installs it outside of an ordinary user's PATH. */
export const findNginx = () => Bun.which('nginx', { PATH: `${process.env.PATH ?? ''}:/usr/sbin` })

/** Inside `http`: where nginx keeps what does not fit into memory; by default in system folders. */
export const temporaryPaths = (folder: string) =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${folder}/${name};`)
    .join('\n')

/** Each function writes one server block, and gets the port to listen on. */
export async function startNginx(servers: readonly ((port: number) => string)[]): Promise<RunningProxy> {
  const program = toolOrFail('nginx-light', findNginx)
  const folder = await mkdtemp(join(tmpdir(), 'fundus-nginx-'))
  const ports = servers.map(freePort)
  await Bun.write(
    join(folder, 'nginx.conf'),
    `daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporaryPaths(folder)}
      ${servers.map((server, at) => server(ports[at]!)).join('\n')}
    }`,
  )
  const child = Bun.spawn(
    [program, '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  )
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await eventually('nginx listens', async () => {
      if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text())
      return (await Promise.all(ports.map(listens))).every(Boolean)
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { ports, [Symbol.asyncDispose]: stop }
}

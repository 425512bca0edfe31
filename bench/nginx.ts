import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Line } from './line.ts'
import { SERVER_CORE } from './machine.ts'
import type { Server } from './server.ts'

/** Another process may take the port between our choosing it and nginx listening. */
const ATTEMPTS = 3

/** nginx on the files below `root`, with a configuration, port and temporary folders of its own. */
export async function startNginx(
  dir: string,
  line: Line,
  options: { openFileCache: boolean },
): Promise<Server> {
  const root = join(dir, 'root')
  for (const folder of ['root/f', 'root/up', 'tmp']) await mkdir(join(dir, folder), { recursive: true })
  for (let attempt = 1; ; attempt++) {
    const port = freePort()
    const addresses = [...new Set(['127.0.0.1', line.address])].map(address => `${address}:${port}`)
    await writeFile(join(dir, 'nginx.conf'), configuration(dir, root, addresses, options.openFileCache))
    const child = Bun.spawn(
      ['taskset', '-c', SERVER_CORE, 'nginx', '-p', dir, '-c', join(dir, 'nginx.conf')],
      {
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'pipe',
      },
    )
    const stop = () => {
      if (child.exitCode === null) child.kill('SIGTERM')
    }
    // A benchmark that is broken off must leave no server behind.
    process.on('exit', stop)
    if (await answers(port, child)) {
      return {
        name: 'nginx',
        port,
        pid: child.pid,
        upload: path => ({ method: 'PUT', target: `/up/${path}`, headers: {} }),
        lastWords: () => (child.exitCode === null ? '' : `ended with ${child.exitCode}`),
        async stop() {
          stop()
          await child.exited
          process.off('exit', stop)
        },
      }
    }
    stop()
    await child.exited
    if (attempt === ATTEMPTS) {
      throw new Error(`nginx did not start (is the module dav in it? Debian: nginx-light or nginx-full):
${await new Response(child.stderr).text()}`)
    }
  }
}

async function answers(port: number, child: Bun.Subprocess): Promise<boolean> {
  for (
    const deadline = Date.now() + 5_000;
    Date.now() < deadline && child.exitCode === null;
    await Bun.sleep(20)
  ) {
    const response = await fetch(`http://127.0.0.1:${port}/alive`).catch(() => null)
    if (response?.status === 204) return true
  }
  return false
}

function freePort(): number {
  using probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  return probe.port
}

/**
 * Tuned as an operator would for files: sendfile, no log, connections that stay open. Its worker runs as whoever
 * runs the benchmark, since that user's temporary folder is closed to others.
 */
function configuration(dir: string, root: string, addresses: string[], openFileCache: boolean): string {
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
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
    ${addresses.map(address => `listen ${address} backlog=1024;`).join(' ')}
    root ${root};
    location = /alive { return 204; }
    location /up/ { dav_methods PUT; create_full_put_path on; }
  }
}
`
}

/** The servers with which the table compares ours; each answers with what it has read. */
import { findNginx, startNginx } from '../../support/nginx.ts'
import { toolOrFail } from '../../support/tools.ts'
import { echoOf, type Seen } from './outcome.ts'

export interface Peer extends AsyncDisposable {
  port: number
  version: string
}

export const PEERS = ['nginx', 'Node', 'Bun.serve'] as const
export type PeerName = (typeof PEERS)[number]

/**
 * A first server that reads the request and its body, as a proxy does, and a second one that answers with
 * what the first one passed on.
 */
async function nginx(): Promise<Peer> {
  let echoing = 0
  const running = await startNginx([
    port => {
      echoing = port
      return `map $http_x $echo_x { "" ""; default " x=$http_x"; }
        map $http_x_show $echo_host { "" ""; default " host=$http_x_host"; }
        map $http_content_length $echo_length { "" ""; "0" ""; default " $http_content_length bytes"; }
        server {
          listen 127.0.0.1:${port};
          large_client_header_buffers 4 32k;
          return 200 "$request_method $request_uri$echo_host$echo_x$echo_length";
        }`
    },
    port => `server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://127.0.0.1:${echoing};
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header X-Host $host;
        }
      }`,
  ])
  const { stderr } = Bun.spawnSync([findNginx()!, '-v'])
  const version = /nginx\/(\S+)/.exec(stderr.toString())?.[1] ?? ''
  return Object.assign(running, { port: running.ports[1]!, version })
}

const NODE_PROGRAM = `
const echoOf = ${echoOf}
require('node:http').createServer((request, response) => {
  const { method, url: target, headers } = request
  let length = 0
  request.on('data', part => { length += part.length })
  request.on('end', () => response.end(Buffer.from(echoOf({
    method, target, length, host: headers.host, x: headers.x || '', show: headers['x-show'] || '',
  }), 'latin1')))
}).listen(0, '127.0.0.1', function () { console.log(this.address().port + ' ' + process.versions.node) })
`

async function node(): Promise<Peer> {
  const program = toolOrFail('nodejs', () => Bun.which('node'))
  const child = Bun.spawn([program, '-e', NODE_PROGRAM], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await child.stdout.getReader().read()
  const [port, version = ''] = Buffer.from(value!).toString().trim().split(' ')
  return {
    port: Number(port),
    version,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

async function runtime(): Promise<Peer> {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { method, url, headers } = request
      const { length } = await request.bytes()
      const target = url.replace(/^\w+:\/\/[^/?]*/, '')
      const seen: Seen = {
        ...{ method, target, length },
        host: headers.get('host') ?? '',
        x: headers.get('x') ?? '',
        show: headers.get('x-show') ?? '',
      }
      return new Response(Buffer.from(echoOf(seen), 'latin1'))
    },
  })
  return {
    port: server.port!,
    version: Bun.version,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

export const startPeer: Readonly<Record<PeerName, () => Promise<Peer>>> = {
  nginx,
  Node: node,
  'Bun.serve': runtime,
}

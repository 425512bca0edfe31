/**
 * Starts what the test files of one run share, each part when the first file asks for it
 * (../shared-parts.ts).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchChromiumServer } from '../../browser/chromium.ts'
import { startCeph } from '../ceph.ts'
import { spawnHost } from '../host-client.ts'
import { startPostgres } from '../postgres.ts'
import type { Parts } from '../shared-parts.ts'
import { withoutNoise } from '../windows.ts'

interface Started<Address> {
  address: Address
  end(): Promise<unknown>
}

export function openParts(folder: string) {
  const complaintsFiles: string[] = []
  const started = new Map<string, Promise<Started<unknown>>>()

  async function startHost(name: string) {
    const complaintsFile = join(folder, name)
    complaintsFiles.push(complaintsFile)
    const { child, url } = await spawnHost(Bun.file(complaintsFile))
    return {
      address: { url, complaintsFile },
      async end() {
        await child.stdin.end()
        await child.exited
      },
    }
  }

  const starters: {
    [Name in keyof Parts as Name extends `services-${number}` ? 'services' : Name]: (
      name: string,
    ) => Promise<Started<Parts[Name]>>
  } = {
    async chromium() {
      const browser = await launchChromiumServer()
      return { address: browser.wsEndpoint(), end: () => browser.close() }
    },
    async postgres() {
      const server = await startPostgres()
      return { address: server.port, end: server.stop }
    },
    async store() {
      const ceph = await startCeph()
      return { address: ceph.place, end: async () => ceph[Symbol.asyncDispose]() }
    },
    commands: startHost,
    services: startHost,
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // Starting may take longer than the default of 10 seconds after which a silent connection is closed.
    idleTimeout: 255,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1)
      const kind = name.replace(/-\d+$/, '')
      if (!Object.hasOwn(starters, kind))
        return new Response(`No part of a test run is called ${name}.`, { status: 404 })
      const part = started.get(name) ?? starters[kind as keyof typeof starters](name)
      started.set(name, part)
      return part.then(
        ({ address }) => Response.json(address),
        error => new Response(error instanceof Error ? error.message : String(error), { status: 500 }),
      )
    },
  })

  return {
    url: server.url.href,
    /** What the processes that hold services and run commands wrote to standard error. */
    complaints: () =>
      complaintsFiles.map(file => withoutNoise(readFileSync(file, 'utf8'))).filter(text => text !== ''),
    async end() {
      server.stop(true)
      const outcomes = await Promise.allSettled(started.values())
      for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.end()
    },
  }
}

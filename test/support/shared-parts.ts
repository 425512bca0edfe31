/**
 * What the test files of a run share: browser, servers, processes that hold services. test/run.ts starts each when the first
 * test of any worker asks for it, and ends it after the last one. A file by itself starts its own.
 */
import type { S3Place } from './ceph.ts'
import type { HostAddress } from './host-client.ts'
import { outlastsFiles } from './remains.ts'

/** What a test is told about each part. */
interface Parts {
  /** Where Playwright connects to. */
  chromium: string
  /** The port. */
  postgres: number
  store: S3Place
  /** Runs commands for all workers: another process than those of the services, as an operator's command is. */
  commands: HostAddress
  /** Holds the services of one worker. */
  [services: `services-${number}`]: HostAddress
}

/** Set by test/run.ts: where the parts are asked for. */
export const RUN_VARIABLE = 'FUNDUS_TEST_RUN'

// A test may put another one in its place.
const { fetch } = globalThis
const answers = new Map<string, Promise<unknown>>()

/** Undefined for a file by itself. */
export function sharedPart<Name extends keyof Parts>(name: Name): Promise<Parts[Name] | undefined> {
  const run = process.env[RUN_VARIABLE]
  if (!run) return Promise.resolve(undefined)
  const answer = answers.get(name) ?? ask(new URL(name, run))
  answers.set(name, answer)
  return answer as Promise<Parts[Name]>
}

async function ask(url: URL): Promise<unknown> {
  // A part may still be starting when the file that asked for it is over.
  outlastsFiles(url.port)
  const response = await fetch(url, { keepalive: false })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

interface Started<Address> {
  address: Address
  end(): Promise<void>
}

export type Starters = {
  [Name in 'chromium' | 'postgres' | 'store' | 'commands']: () => Promise<Started<Parts[Name]>>
} & { services(name: string): Promise<Started<HostAddress>> }

/** The side of test/run.ts. */
export function offerParts(starters: Starters) {
  const started = new Map<string, Promise<Started<unknown>>>()

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // Starting may take longer than the 10 seconds after which a silent connection is closed otherwise.
    idleTimeout: 255,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1)
      const kind = name.replace(/-\d+$/, '')
      if (!Object.hasOwn(starters, kind))
        return new Response(`No part of a test run is called ${name}.`, { status: 404 })
      const part = started.get(name) ?? starters[kind as keyof Starters](name)
      started.set(name, part)
      return part.then(
        ({ address }) => Response.json(address),
        error => new Response(error instanceof Error ? error.message : String(error), { status: 500 }),
      )
    },
  })
  return {
    url: server.url.href,
    async end() {
      server.stop(true)
      const outcomes = await Promise.allSettled(started.values())
      for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.end()
    },
  }
}

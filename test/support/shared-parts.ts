/**
 * What the test files of a run share: browser, servers, processes that hold services. run/parts.ts starts each when the first
 * test of any worker asks for it, and ends it after the last one. A file by itself starts its own.
 */
import type { S3Place } from './ceph.ts'
import type { HostAddress } from './host-client.ts'
import { outlastsFiles } from './remains.ts'

/** What a test is told about each part. */
export interface Parts {
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

/** Set by run/passes.ts: where the parts are asked for. */
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

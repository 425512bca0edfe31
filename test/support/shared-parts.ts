/**
 * What the test files of a run share: browser, servers, processes that hold services. run/parts.ts starts
 * each when the first test of any worker asks for it, and ends it after the last one. A file that runs alone
 * starts its own.
 */
import type { S3Place } from './ceph.ts'
import type { HostAddress } from './host-client.ts'
import { outlastsFiles } from './remains.ts'

/** What a test needs to know of each part. */
export interface Parts {
  /** The address to which Playwright connects. */
  chromium: string
  /** The port. */
  postgres: number
  store: S3Place
  /** Runs commands for all workers, in another process than those of the services, as for an operator. */
  commands: HostAddress
  /** Holds the services of one worker. */
  [services: `services-${number}`]: HostAddress
}

/** Set by run/passes.ts: the address that provides the parts. */
export const RUN_VARIABLE = 'FUNDUS_TEST_RUN'

// Saved, because a test may replace it.
const { fetch } = globalThis
const answers = new Map<string, Promise<unknown>>()

/** Undefined for a file that runs alone. */
export function sharedPart<Name extends keyof Parts>(name: Name): Promise<Parts[Name] | undefined> {
  const run = process.env[RUN_VARIABLE]
  if (!run) return Promise.resolve(undefined)
  const answer = answers.get(name) ?? ask(new URL(name, run))
  answers.set(name, answer)
  return answer as Promise<Parts[Name]>
}

async function ask(url: URL): Promise<unknown> {
  // A part may still be starting when the file that asked for it has ended.
  outlastsFiles(url.port)
  const response = await fetch(url, { keepalive: false })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

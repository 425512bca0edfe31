/** Dashboard calls by address: signing in, and requests with a session. */
import type { HeaderMap } from './api.ts'
import { type CommandResult, commandProcess } from './command.ts'
import { commandHost } from './host-client.ts'
import { keepSecret } from './secrets.ts'
import type { Service } from './service.ts'

export const ADMIN = { benutzer: 'admin', passwort: 'correct horse battery' }
/** Starts a service that has this account. */
export const ADMIN_ENV = { ADMIN_USER: ADMIN.benutzer, ADMIN_PASSWORD: ADMIN.passwort }

export interface DashOptions {
  method?: string
  /** Sent as JSON. */
  json?: unknown
  /** The session cookie's value. */
  session?: string
  headers?: HeaderMap
}

/** A request to `/api/dash/<route>`; POST if there is a body. */
export function dash(
  service: Pick<Service, 'url'>,
  route: string,
  options: DashOptions = {},
): Promise<Response> {
  const { json, session, headers } = options
  return fetch(`${service.url}/api/dash/${route}`, {
    method: options.method ?? (json === undefined ? 'GET' : 'POST'),
    headers: {
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(session !== undefined && { Cookie: `fundus_sitzung=${session}` }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
}

/** The value of `fundus_sitzung` in a Set-Cookie header; throws if it is missing. */
export function sessionOf(response: Response): string {
  const value = /^fundus_sitzung=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  if (value === undefined) throw new Error(`No session cookie: ${response.status}`)
  return keepSecret('a session', value)
}

/** Signs in, which must succeed; returns the session cookie's value. */
export async function signIn(service: Service, account = ADMIN, headers: HeaderMap = {}): Promise<string> {
  const response = await dash(service, 'login', { json: account, headers })
  if (response.status !== 200) throw new Error(`login: ${response.status} ${await response.text()}`)
  return sessionOf(response)
}

export async function isSignedIn(service: Service, session: string): Promise<boolean> {
  const { status } = await dash(service, 'ich', { session })
  if (status !== 200 && status !== 401) throw new Error(`ich: ${status}`)
  return status === 200
}

/** The code in the log of the last start. */
export function setupCode(service: Service): string | undefined {
  const lines = service.logs().map(line => /Einrichtungscode: (\S+)/.exec(String(line.message))?.[1])
  return lines.findLast(code => code !== undefined)
}

/** An operator's command that reads its standard input. */
export const commandWithInput = async (
  { env }: Service,
  input: string,
  ...args: string[]
): Promise<CommandResult> => (await commandHost()).command({ args, input, env })

/** The same as a process of its own. */
export const processWithInput = (
  { env }: Service,
  input: string,
  ...args: string[]
): Promise<CommandResult> => commandProcess(args, { input, env })

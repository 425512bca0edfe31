/** `/api/dash/tokens`, as a signed-in operator calls it. */
import { beforeAll } from 'bun:test'
import { answered } from './api.ts'
import { type DashOptions, dash, signIn } from './dashboard.ts'
import { keepSecret } from './secrets.ts'
import type { Service, ServiceOptions } from './service.ts'
import { type SignedIn, signedInService } from './shared-service.ts'

export interface TokenLimits {
  praefix?: string | null
  darf_loeschen?: boolean | null
  max_datei?: number | null
  kontingent?: number | null
  arten?: string[] | null
  gueltig_bis?: number | null
  max_kante?: number | null
  exif_entfernen?: boolean | null
  ueberschriebene_behalten?: boolean | null
  darf_lesen?: boolean | null
}

export interface TokenOnWire extends Required<TokenLimits> {
  id: string
  name: string
  erstellt_am: number
  zuletzt_benutzt: number | null
  dateien: number
  bytes: number
}

export interface CreatedToken extends TokenOnWire {
  /** The clear text, which only this answer has. */
  token: string
  sharex: Record<string, unknown>
}

export interface TokenAdmin {
  readonly session: string
  /** Whatever the answer; `route` is the part after `tokens`. */
  call(route: string, options?: DashOptions): Promise<Response>
  list(): Promise<TokenOnWire[]>
  find(id: string): Promise<TokenOnWire>
  create(limits?: TokenLimits & { name?: string }): Promise<CreatedToken>
  patch(id: string, changes: TokenLimits & { name?: string }): Promise<TokenOnWire>
  withdraw(id: string): Promise<void>
}

export async function tokenAdmin(service: Service, given?: string): Promise<TokenAdmin> {
  const session = given ?? (await signIn(service))
  const call = (route: string, options: DashOptions = {}) =>
    dash(service, `tokens${route}`, { session, ...options })

  const list = async () => answered<TokenOnWire[]>(await call(''))
  return {
    session,
    call,
    list,
    async find(id) {
      const found = (await list()).find(token => token.id === id)
      if (!found) throw new Error(`There is no token ${id} in the list.`)
      return found
    },
    async create(limits) {
      const made = await answered<CreatedToken>(await call('', { json: { name: 'test', ...limits } }))
      keepSecret('a token', made.token)
      return made
    },
    patch: async (id, json) => answered<TokenOnWire>(await call(`/${id}`, { method: 'PATCH', json })),
    async withdraw(id) {
      await answered(await call(`/${id}`, { method: 'DELETE' }))
    },
  }
}

export interface SharedWithAdmin extends SignedIn {
  readonly admin: TokenAdmin
}

/**
 * One service per file, and a signed-in operator who creates its tokens: much faster than a command for each.
 */
export function sharedServiceWithAdmin(options: ServiceOptions = {}): SharedWithAdmin {
  const shared = signedInService(options)
  let admin: TokenAdmin | undefined
  beforeAll(async () => {
    admin = await tokenAdmin(shared.service, shared.session)
  })
  return Object.create(shared, { admin: { get: () => admin } }) as SharedWithAdmin
}

/**
 * One service per test file: started before its first test, ended after its last, with a token that has every
 * right.
 */
import { afterAll, beforeAll, setDefaultTimeout } from 'bun:test'
import { ADMIN_ENV, signIn } from './dashboard.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'

export interface Shared {
  readonly service: Service
  /** A token that may write everywhere and delete. */
  readonly token: string
  /**
   * A token with these flags, created at the first call: for tests of its limits, not of what it has stored.
   */
  tokenWith(...flags: string[]): Promise<string>
}

export function sharedService(options: ServiceOptions = {}): Shared {
  setDefaultTimeout(180_000)
  let service: Service | undefined
  let token = ''
  const made = new Map<string, Promise<string>>()
  beforeAll(async () => {
    service = await startService(options)
    token = await service.createToken('--may-delete')
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
  })
  return {
    get service() {
      if (!service) throw new Error('The service is started in beforeAll: use it inside a test.')
      return service
    },
    get token() {
      return token
    },
    tokenWith(...flags) {
      const key = flags.join(' ')
      const known = made.get(key) ?? this.service.createToken(...flags)
      made.set(key, known)
      return known
    },
  }
}

export interface SignedIn extends Shared {
  /** The session cookie's value of somebody who is signed in. */
  readonly session: string
}

/** The same with an account that is signed in. */
export function signedInService(options: ServiceOptions = {}): SignedIn {
  const shared = sharedService({ ...options, env: { ...ADMIN_ENV, ...options.env } })
  let session = ''
  beforeAll(async () => {
    session = await signIn(shared.service)
  })
  return Object.create(shared, { session: { get: () => session } }) as SignedIn
}

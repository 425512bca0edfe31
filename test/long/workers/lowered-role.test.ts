/** A lowered role counts at the next request at every worker, also for open event streams. */
import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test'
import { useListeners } from '../../support/events.ts'
import {
  expectLoweredByOperator,
  expectLoweredByProvider,
  loweredRoleEnv,
} from '../../support/lowered-role.ts'
import { type Oidc, openOidc } from '../../support/oidc.ts'
import { type Service, startService } from '../../support/service.ts'
import { TWO } from './two-workers.ts'

setDefaultTimeout(180_000)

const listen = useListeners()
let oidc: Oidc
let service: Service
beforeAll(async () => {
  oidc = await openOidc()
  service = await startService({ env: { ...TWO, ...loweredRoleEnv(oidc) }, ownProcess: true })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  oidc?.[Symbol.dispose]()
})
const scene = () => ({ service, places: [service], oidc, listen })

test('by an operator, in the dashboard and on the command line', () => expectLoweredByOperator(scene()))

test('by the rules of a provider, while sessions and streams go on', () => expectLoweredByProvider(scene()))

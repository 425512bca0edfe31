/** A lowered role counts at the next request at both instances, also for open event streams. */
import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test'
import { findCeph } from '../support/ceph.ts'
import { ADMIN_ENV } from '../support/dashboard.ts'
import { useListeners } from '../support/events.ts'
import { expectLoweredByOperator, expectLoweredByProvider, loweredRoleEnv } from '../support/lowered-role.ts'
import { type Oidc, openOidc } from '../support/oidc.ts'
import { findPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'
import { findTool, needsTool } from '../support/tools.ts'

setDefaultTimeout(180_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

const listen = useListeners()
let oidc: Oidc
let service: Service
beforeAll(async () => {
  if (!findTool('postgresql', findPostgres) || !findTool('radosgw', findCeph)) return
  oidc = await openOidc()
  service = await startService({
    mode: 'shared',
    ownProcess: true,
    env: { ...ADMIN_ENV, ...loweredRoleEnv(oidc) },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  oidc?.[Symbol.dispose]()
})
const scene = () => ({ service, places: service.instances, oidc, listen })

test('by an operator, in the dashboard and on the command line', () => expectLoweredByOperator(scene()))

test('by the rules of a provider, while sessions and streams go on', () => expectLoweredByProvider(scene()))

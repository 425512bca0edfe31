/**
 * The n-th statement to PostgreSQL or request to the object store fails, is cut off, loses its answer or
 * hangs, for n = 1, 2, 3 … until the operation has no more of them. With `FAULT_POINTS=all` every one hangs
 * in turn, not only the first.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { attempt, expectedOf, type Fault } from '../crash/attempt.ts'
import { CHANGES, type Operation, roundIn, UPLOADS } from '../crash/operations.ts'
import { type Ceph, findCeph, startCeph } from '../support/ceph.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts'
import { type Service, startService } from '../support/service.ts'
import { makePlace } from '../support/shared-place.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { findTool, needsTool } from '../support/tools.ts'

setDefaultTimeout(1_800_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

const MOST = 80
/** A hanging part makes every attempt wait for its time limit, so only the first is tried. */
const MOST_HANGING = process.env.FAULT_POINTS === 'all' ? MOST : 1
const OPERATIONS = [
  ...['upload, short', 'upload, long', 'overwrite, short', 'rename', 'delete by token', 'move to the trash'],
  ...['restore from the trash', 'empty the trash', 'move a folder', 'search and replace'],
]

let postgres: PostgresServer
let ceph: Ceph
let statements: PostgresProxy
let requests: TcpProxy
let service: Service
let session: string
let token: string
let rounds = 0
let attempts = 0

beforeAll(async () => {
  if (!findTool('postgresql', findPostgres) || !findTool('radosgw', findCeph)) return
  ;[postgres, ceph] = await Promise.all([startPostgres({ flushed: true }), startCeph()])
  requests = await startTcpProxy({ port: Number(new URL(ceph.place.endpoint).port) })
  statements = await startPostgresProxy({ port: postgres.port })
  const place = await makePlace(postgres, { ...ceph.place, endpoint: `http://127.0.0.1:${requests.port}` })
  const url = new URL(place.env.DATABASE_URL!)
  url.port = String(statements.port)
  const env = { ...ADMIN_ENV, FUNDUS_TEST_UNFLUSHED: '', DATABASE_URL: url.href }
  service = await startService({ place, instances: 1, env })
  session = await signIn(service)
  token = await service.createToken('--name', 'faults', '--may-delete')
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await statements?.[Symbol.asyncDispose]()
  await requests?.[Symbol.asyncDispose]()
  await ceph?.[Symbol.asyncDispose]()
  await postgres?.stop()
  console.log(`fault points of PostgreSQL and object store: ${attempts} attempts`)
})

/** Applies a fate to the n-th statement. */
function statementFault(n: number, fate: 'hold' | 'cut' | 'lose-answer'): Fault {
  let count = 0
  let isReached = false
  let stop: ReturnType<PostgresProxy['stopAt']> | undefined
  return {
    begin() {
      stop = statements.stopAt({ test: () => ++count === n }, fate)
      stop.reached.then(() => {
        isReached = true
      })
    },
    end() {
      statements.forget()
      stop?.release()
      return isReached ? [`statement ${n}: ${fate}`] : []
    },
  }
}

function requestFault(n: number, fate: 'fail' | 'cut' | 'lose-answer' | 'hold'): Fault {
  let stop: ReturnType<TcpProxy['stopAt']> | undefined
  return {
    begin() {
      stop = requests.stopAt(n, fate)
    },
    end() {
      requests.stopAt(null)
      return stop?.isReached ? [`request ${n}: ${fate}`] : []
    },
  }
}

type Fate = readonly [name: string, most: number, fault: (n: number) => Fault]
const onStatement = (fate: 'hold' | 'cut' | 'lose-answer', most = MOST): Fate => [
  `a statement, ${fate}`,
  most,
  n => statementFault(n, fate),
]
const onRequest = (fate: 'fail' | 'cut' | 'lose-answer' | 'hold', most = MOST): Fate => [
  `a request, ${fate}`,
  most,
  n => requestFault(n, fate),
]
const FATES: readonly Fate[] = [
  ...[onStatement('cut'), onStatement('lose-answer'), onStatement('hold', MOST_HANGING)],
  ...[onRequest('fail'), onRequest('cut'), onRequest('lose-answer'), onRequest('hold', MOST_HANGING)],
]

async function everyPoint(operation: Operation, [name, most, fault]: Fate) {
  const newRound = () => roundIn({ service, token, session, name: `r${++rounds}` })
  const expected = await expectedOf(operation, newRound())
  for (let n = 1; n <= most; n++) {
    const { failed, violations } = await attempt(operation, newRound(), expected, fault(n))
    if (failed.length === 0) return violations
    attempts++
    if (violations.length > 0) return violations.map(each => `${name} ${n}: ${each}`)
  }
  return most === MOST ? [`${name}: no end`] : []
}

test.each([...UPLOADS, ...CHANGES].filter(({ name }) => OPERATIONS.includes(name)))(
  '$name: whatever fails, it is done or not done, and goes on',
  async operation => {
    const violations: string[] = []
    for (const fate of FATES) violations.push(...(await everyPoint(operation, fate)))
    await service.command('sweep', '--older-than', '0')
    const { stdout } = await service.command('check', '--json')
    expect(violations).toEqual([])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true })
  },
)

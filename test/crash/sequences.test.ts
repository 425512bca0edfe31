/**
 * Random sequences of token and dashboard operations by several clients at once: the answers and what is there in the end are
 * those of some order of the operations. `MODEL_RUNS=10000 npx bun test test/crash/sequences.test.ts` for many, with
 * `FUNDUS_TEST_MODE=shared` on two instances with PostgreSQL and an object store, as in `npm run test:many`.
 */
import { expect, test } from 'bun:test'
import { ADMIN_ENV } from '../support/dashboard.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { isShared } from '../support/modes.ts'
import { startService } from '../support/service.ts'
import { type Answered, EMPTY, isExplained, type Operation } from './library-model.ts'
import { runSequences } from './sequences.ts'

const RUNS = Number(process.env.MODEL_RUNS ?? (isOrdinaryRun || isShared() ? 40 : 500))

test(
  `${RUNS} sequences of operations: some order of them explains every answer`,
  async () => {
    await using service = await startService({ env: ADMIN_ENV })
    await runSequences(service, RUNS)
  },
  RUNS * 2000 + 60_000,
)

const PUT = { do: 'upload', path: 'a.x', bytes: 'p', overwrite: false } as const
const OVER = { ...PUT, bytes: 'qq', overwrite: true } as const
const READ = { do: 'read', path: 'a.x' } as const

test.each<[string, boolean, [begun: number, ended: number, Operation, string][]]>([
  [
    'a read of what was stored',
    true,
    [
      [1, 2, PUT, '200 replaced false'],
      [3, 4, READ, '200 p'],
    ],
  ],
  [
    'a lost upload',
    false,
    [
      [1, 2, PUT, '200 replaced false'],
      [3, 4, READ, '404'],
    ],
  ],
  [
    'a read during the upload',
    true,
    [
      [1, 4, PUT, '200 replaced false'],
      [2, 3, READ, '404'],
    ],
  ],
  [
    'a stale read after an overwrite',
    false,
    [
      [1, 2, PUT, '200 replaced false'],
      [3, 4, OVER, '200 replaced true'],
      [5, 6, READ, '200 p'],
    ],
  ],
  [
    'one of two creators',
    true,
    [
      [1, 4, PUT, '409'],
      [2, 3, PUT, '200 replaced false'],
    ],
  ],
  [
    'two creators',
    false,
    [
      [1, 4, PUT, '200 replaced false'],
      [2, 3, PUT, '200 replaced false'],
    ],
  ],
  [
    'a quota that two uploads share',
    false,
    [
      [1, 2, { do: 'limit', quota: 1 }, '200'],
      [3, 6, PUT, '200 replaced false'],
      [4, 5, { ...PUT, path: 'b.x' }, '200 replaced false'],
    ],
  ],
  [
    'a file that comes back',
    false,
    [
      [1, 2, PUT, '200 replaced false'],
      [3, 4, { do: 'delete', path: 'a.x' }, '200'],
      [5, 6, READ, '200 p'],
    ],
  ],
  [
    'a search and replace that misses what was there all the time',
    false,
    [
      [1, 2, PUT, '200 replaced false'],
      [3, 6, { do: 'replace', search: '.x', by: '.y', execute: true }, '200 '],
      [4, 5, { do: 'rename', path: 'a.x', name: 'b.x' }, '200'],
    ],
  ],
])('the judge of histories: %s is explained: %p', (_, explained, steps) => {
  const history = steps.map(
    ([begun, ended, operation, answer]): Answered => ({ begun, ended, operation, answer }),
  )
  expect(isExplained(EMPTY, history)).toBe(explained)
})

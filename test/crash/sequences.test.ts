/**
 * Random sequences of operations by several concurrent clients: the answers and the final state must be those
 * of some order. `MODEL_RUNS=10000` runs many; `FUNDUS_TEST_MODE=shared` uses two instances with PostgreSQL
 * and an object store.
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
    // The model would have to know the numbers of overwritten files, which no answer contains.
    const env = { ...ADMIN_ENV, UEBERSCHRIEBENE: 'nie' }
    await using service = await startService({ env })
    await runSequences(service, RUNS)
  },
  RUNS * 2000 + 60_000,
)

const PUT = { do: 'upload', path: 'a.x', bytes: 'p', overwrite: false } as const
const OVER = { ...PUT, bytes: 'qq', overwrite: true } as const
const LIST = { do: 'list' } as const
const READ = { do: 'read', path: 'a.x' } as const
const REPLACE = { do: 'replace', search: '.x', by: '.y', execute: true } as const
const CREATED = '200 replaced false'

const did = (begun: number, ended: number, operation: Operation, answer: string): Answered => ({
  ...{ begun, ended, operation, answer },
})

test.each<[string, boolean, Answered[]]>([
  ['a read of what was stored', true, [did(1, 2, PUT, CREATED), did(3, 4, READ, '200 p')]],
  ['a lost upload', false, [did(1, 2, PUT, CREATED), did(3, 4, READ, '404')]],
  ['a read during the upload', true, [did(1, 4, PUT, CREATED), did(2, 3, READ, '404')]],
  [
    'a stale read after an overwrite',
    false,
    [did(1, 2, PUT, CREATED), did(3, 4, OVER, '200 replaced true'), did(5, 6, READ, '200 p')],
  ],
  ['one of two creators', true, [did(1, 4, PUT, '409'), did(2, 3, PUT, CREATED)]],
  ['two creators', false, [did(1, 4, PUT, CREATED), did(2, 3, PUT, CREATED)]],
  [
    'a quota that two uploads share',
    false,
    [
      did(1, 2, { do: 'limit', quota: 1 }, '200'),
      did(3, 6, PUT, CREATED),
      did(4, 5, { ...PUT, path: 'b.x' }, CREATED),
    ],
  ],
  [
    'a file that comes back',
    false,
    [did(1, 2, PUT, CREATED), did(3, 4, { do: 'delete', path: 'a.x' }, '200'), did(5, 6, READ, '200 p')],
  ],
  ['an empty list without a deletion beside it', false, [did(1, 2, PUT, CREATED), did(3, 4, LIST, '')]],
  [
    'an empty list of a folder that goes meanwhile',
    true,
    [did(1, 2, PUT, CREATED), did(3, 6, LIST, ''), did(4, 5, { do: 'delete', path: 'a.x' }, '200')],
  ],
  ['an empty list instead of an absent folder', false, [did(1, 2, LIST, '')]],
  [
    'a search and replace that misses what was there all the time',
    false,
    [
      did(1, 2, PUT, CREATED),
      did(3, 6, REPLACE, '200 '),
      did(4, 5, { do: 'rename', path: 'a.x', name: 'b.x' }, '200'),
    ],
  ],
])('the judge of histories: %s is explained: %p', (_, explained, history) => {
  expect(isExplained(EMPTY, history)).toBe(explained)
})

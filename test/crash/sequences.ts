/**
 * Runs random sequences of operations by concurrent clients on a service and on a library in memory. One that
 * differs is shrunk to the shortest; one that depends on chance is tried several times.
 */
import fc from 'fast-check'
import type { Service } from '../support/service.ts'
import { tokenAdmin } from '../support/token-admin.ts'
import { createLibraryClient, type LibraryClient } from './library-client.ts'
import { type Answered, EMPTY, isExplained, type Operation, pathByContent } from './library-model.ts'

/** Few contents, so that operations meet; of one, two, four and eight bytes. */
const CONTENTS = ['p', 'qq', 'rrrr', 'ssssssss']
const FOLDERS = ['d', 'e', 'd/e']
const NAMES = ['a.x', 'b.x']
const PATHS = ['', 'd/', 'e/'].flatMap(folder => NAMES.map(name => folder + name))
const REPLACEMENTS = [
  ['a.x', 'b.x'],
  ['b', 'a'],
  ['d/', 'e/'],
  ['e/', ''],
] as const
/** Number of attempts for a sequence that has differed once. */
const TRIES = 10

/** Numbers and ids are known only from answers: `at` is an index into those. */
type Step = Exclude<Operation, { numbers: number[] } | { id: string }> | { do: Later; at: number[] }
type Later = 'restore' | 'empty trash' | 'delete by id'

export interface Sequence {
  /** One after the other. */
  first: Step[]
  /** Concurrently, one list per client. */
  clients: Step[][]
}

const bytes = fc.constantFrom(...CONTENTS)
const path = fc.constantFrom(...PATHS)
const anyPath = fc.oneof({ arbitrary: path, weight: 4 }, bytes.map(pathByContent))
const paths = fc.uniqueArray(anyPath, { minLength: 1, maxLength: 3 })
const folder = fc.constantFrom(...FOLDERS)
const overwrite = fc.boolean()
const at = fc.array(fc.nat(5), { minLength: 1, maxLength: 3 })
const limit = fc.constantFrom(null, 1, 2, 4, 8, 12)
const upload = fc.record({ do: fc.constant('upload' as const), path, bytes, overwrite })
const uploadByContent = fc.record({ do: fc.constant('upload by content' as const), bytes })
const trash = fc.record({ do: fc.constant('trash' as const), paths })

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: upload, weight: 3 },
  { arbitrary: uploadByContent, weight: 1 },
  { arbitrary: trash, weight: 2 },
  {
    arbitrary: fc.record({
      do: fc.constantFrom('restore' as const, 'empty trash' as const, 'delete by id' as const),
      at,
    }),
    weight: 3,
  },
  fc.record({ do: fc.constant('upload in the dashboard' as const), path, bytes, overwrite }),
  fc.record({ do: fc.constantFrom('delete' as const, 'exists' as const, 'read' as const), path: anyPath }),
  fc.record({ do: fc.constant('rename' as const), path: anyPath, name: fc.constantFrom(...NAMES) }),
  fc.record({ do: fc.constant('move' as const), paths, folder: fc.oneof(folder, fc.constant('')) }),
  fc.record({ do: fc.constant('rename folder' as const), folder, name: fc.constantFrom('d', 'e') }),
  fc.record({ do: fc.constant('move folder' as const), folder, into: fc.oneof(folder, fc.constant('')) }),
  fc.record({ do: fc.constant('trash folder' as const), folder }),
  fc
    .record({ pair: fc.constantFrom(...REPLACEMENTS), execute: fc.boolean() })
    .map(({ pair: [search, by], execute }) => ({ do: 'replace' as const, search, by, execute })),
  fc.record({ do: fc.constantFrom('list' as const, 'list trash' as const, 'usage' as const) }),
)

/** Only while nothing else is in progress: an upload is judged by the limits at its beginning. */
const limits: fc.Arbitrary<Step> = fc.oneof(
  limit.map(quota => ({ do: 'limit' as const, quota })),
  limit.map(largest => ({ do: 'limit' as const, largest })),
)

/** Fills the library and the trash, so that most later operations find something. */
const filling: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: upload, weight: 6 },
  { arbitrary: uploadByContent, weight: 2 },
  { arbitrary: trash, weight: 2 },
  { arbitrary: limits, weight: 1 },
)

const sequence: fc.Arbitrary<Sequence> = fc
  .record({
    filled: fc.array(filling, { maxLength: 8 }),
    more: fc.array(fc.oneof({ arbitrary: step, weight: 5 }, limits), { maxLength: 2 }),
    clients: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ filled, more, clients }) => ({ first: [...filled, ...more], clients }))

/** At the end everything is read, by several clients at once. */
const LOOKS: Step[][] = [
  [{ do: 'list' }, { do: 'list trash' }, { do: 'usage' }],
  ...PATHS.map(path => [{ do: 'read' as const, path }]),
]

/** Throws for the first difference, with the shortest sequence that shows it. */
export async function runSequences(service: Service, numRuns: number): Promise<void> {
  const admin = await tokenAdmin(service)
  let runs = 0
  let tries = 1

  async function historyOf({ first, clients }: Sequence): Promise<Answered[]> {
    const root = String(++runs)
    const token = await admin.create({ praefix: root, darf_loeschen: true })
    const client = createLibraryClient({ service, admin, root, token, contents: CONTENTS })
    const history: Answered[] = []
    const perform = async (steps: readonly Step[]) => {
      for (const each of steps) history.push(await client.perform(operationOf(each, client)))
    }
    await perform(first)
    await Promise.all(clients.map(perform))
    await Promise.all(LOOKS.map(perform))
    return history
  }

  const property = fc.asyncProperty(sequence, async given => {
    for (let turn = 0; turn < tries; turn++) {
      const history = await historyOf(given)
      if (isExplained(EMPTY, history)) continue
      tries = TRIES
      throw new Error(
        `No order of these operations explains their answers:\n${history.map(textOf).join('\n')}`,
      )
    }
  })
  await fc.assert(property, { numRuns })
}

function operationOf(given: Step, { numbers, ids }: LibraryClient): Operation {
  if (!('at' in given)) return given
  if (given.do === 'delete by id') return { do: given.do, id: ids[given.at[0]! % ids.length] ?? 'none' }
  const known = given.at.flatMap(each => numbers[each % numbers.length] ?? [])
  return { do: given.do, numbers: [...new Set(known)] }
}

const textOf = ({ operation, begun, ended, answer }: Answered) =>
  `  ${begun}–${ended} ${JSON.stringify(operation)}: ${answer}`

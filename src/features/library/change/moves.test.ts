import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { newId } from '../../../base/ids.ts'
import { WHOLE_LIBRARY } from '../../../http/access/library-area.ts'
import { type LibraryInstance, openLibraryInstance } from '../testing.ts'
import { applyMoves, applyPossibleMoves, findConflicts, type Move } from './moves.ts'
import { createReplace } from './replace.ts'

let library: LibraryInstance
beforeAll(async () => {
  library = await openLibraryInstance()
})
beforeEach(() => library.clear())
afterAll(() => library[Symbol.asyncDispose]())

const by = { account: 'somebody' }
const moving = () => ({
  actor: by,
  movedAt: 5,
  actionId: newId(),
  occurrenceOf: () => 'verschoben' as const,
  rowsPerStatement: 25,
})

async function movesFrom(map: ReadonlyMap<string, string>): Promise<Move[]> {
  const rows = await library.database.read.selectFrom('media').select(['nr', 'path', 'size']).execute()
  return rows.flatMap(file => {
    const to = map.get(file.path)
    return to === undefined || to === file.path ? [] : [{ file, to }]
  })
}

/** All or nothing, as every route moves files. */
async function move(map: ReadonlyMap<string, string>): Promise<string[]> {
  const moves = await movesFrom(map)
  return library.database.transaction(async tx => {
    const conflicts = await findConflicts(tx, moves)
    if (conflicts.length === 0) await applyMoves(tx, moves, moving())
    return conflicts.map(({ move }) => move.file.path).sort()
  })
}

const names = ['a', 'b', 'c', 'd/a', 'd/b', 'e.png', 'A', 'd']
const existing = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 })
const targets = fc.array(fc.constantFrom(...names, 'new/1', 'new/2', '_bad'), {
  minLength: names.length,
  maxLength: names.length,
})

test('any map of paths: what has no conflict ends up where the map says, otherwise nothing moves', async () => {
  await fc.assert(
    fc.asyncProperty(existing, targets, async (paths, wanted) => {
      await library.clear()
      await library.add(...paths.map(path => library.row(path)))
      const before = await library.contents()
      const map = new Map(paths.map((path, at) => [path, wanted[at]!]))
      const after = new Map([...before].map(([path, id]) => [map.get(path)!, id]))
      const possible = after.size === before.size && ![...after.keys()].includes('_bad')
      const hindered = await move(map)
      expect(hindered.length === 0).toBe(possible)
      const found = await library.contents()
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(possible ? after : before))
    }),
    { numRuns: 150 },
  )
})

describe('what stands in the way', () => {
  const reasons = async (map: Record<string, string>) => {
    const moves = await movesFrom(new Map(Object.entries(map)))
    const conflicts = await findConflicts(library.database.read, moves)
    return Object.fromEntries(conflicts.map(({ move, reason }) => [move.file.path, reason.code]))
  }
  beforeEach(() => library.add(...['a', 'b', 'c', 'stays'].map(path => library.row(path))))

  test('a file that does not move away itself', async () =>
    expect(await reasons({ a: 'stays', b: 'c', c: 'free' })).toEqual({ a: 'path-taken' }))
  test('another one that goes there too', async () =>
    expect(await reasons({ a: 'x', b: 'x', c: 'y' })).toEqual({ a: 'path-shared', b: 'path-shared' }))
  test('a path that cannot be', async () =>
    expect(await reasons({ a: '../a', b: 'x'.repeat(201) })).toEqual({
      a: 'path-invalid',
      b: 'path-invalid',
    }))
  test('a difference of case is one', async () => expect(await reasons({ a: 'STAYS' })).toEqual({}))
  test('a ring is nothing in the way', async () =>
    expect(await reasons({ a: 'b', b: 'c', c: 'a' })).toEqual({}))
})

test('of a chain, the files behind one that cannot be moved stay too, and all others are moved', async () => {
  await library.add(...['a', 'b', 'c', 'd', 'e', 'stays'].map(path => library.row(path)))
  const ids = await library.contents()
  const moves = await movesFrom(new Map(Object.entries({ a: 'stays', b: 'a', c: 'b', d: 'free', e: 'd' })))
  const { appliedMoves, refusals } = await library.database.transaction(tx =>
    applyPossibleMoves(tx, moves, moving()),
  )
  expect(appliedMoves.map(({ to }) => to).sort()).toEqual(['d', 'free'])
  expect(refusals.map(({ path, reason }) => [path, reason.code])).toEqual(
    ['a', 'b', 'c'].map(path => [path, 'path-taken']),
  )
  expect(Object.fromEntries(await library.contents())).toEqual({
    ...Object.fromEntries(['a', 'b', 'c', 'stays'].map(path => [path, ids.get(path)!])),
    free: ids.get('d')!,
    d: ids.get('e')!,
  })
})

test('each moved file is on the relocation list once, and in the history with the path it had', async () => {
  await library.add(library.row('a', { size: 3 }), library.row('b', { size: 4 }), library.row('c'))
  await move(new Map(Object.entries({ a: 'b', b: 'a' })))
  await move(new Map(Object.entries({ a: 'd' })))
  const db = library.database.read
  expect(await db.selectFrom('relocation').selectAll().execute()).toHaveLength(2)
  const history = await db.selectFrom('history').select(['who', 'what', 'path', 'bytes', 'details']).execute()
  const entry = (path: string, bytes: number, details: string) => ({
    who: 'somebody',
    what: 'verschoben' as const,
    path,
    bytes,
    details,
  })
  expect(history).toEqual([entry('b', 3, 'a'), entry('a', 4, 'b'), entry('d', 4, 'a')])
})

const parts = {
  now: () => 1,
  newId,
  retrievals: { flush: async () => {}, writeDown: async () => {} },
  onChanged: () => {},
}

test('search and replace outruns what happens between finding and writing', async () => {
  await library.add(...['x/1', 'x/2', 'x/3', 'x/4'].map(path => library.row(path)))
  const ids = await library.contents()
  let meanwhile = async () => {}
  // Lets another change in before the conflicts that were found are written in a transaction of their own.
  const database = {
    ...library.database,
    async transaction<T>(work: Parameters<typeof library.database.transaction<T>>[0]) {
      await meanwhile()
      return library.database.transaction(work)
    },
  }
  const replace = createReplace({ ...parts, database })
  const task = {
    search: 'x/',
    replacement: 'y/',
    area: WHOLE_LIBRARY,
    accountArea: WHOLE_LIBRARY,
    isExpression: false,
    execute: true,
  }
  meanwhile = async () => {
    await move(new Map(Object.entries({ 'x/1': 'z/1', 'x/4': 'w/x/4' })))
    await library.database.transaction(tx => tx.deleteFrom('media').where('path', '=', 'x/2').execute())
  }
  expect((await replace(task, by)).hits.map(hit => hit.to)).toEqual(['w/y/4', 'y/3'])
  expect(Object.fromEntries(await library.contents())).toEqual({
    'w/y/4': ids.get('x/4')!,
    'y/3': ids.get('x/3')!,
    'z/1': ids.get('x/1')!,
  })
  meanwhile = () => library.add(library.row('x/3'))
  await expect(replace({ ...task, search: 'y/', replacement: 'x/' }, by)).rejects.toMatchObject({
    status: 409,
    fields: {
      konflikte: [{ von: 'y/3', nach: 'x/3', grund: expect.stringContaining('x/3'), code: 'path-taken' }],
    },
  })
  expect([...(await library.contents()).keys()]).toEqual(['w/y/4', 'x/3', 'y/3', 'z/1'])
})

describe('search and replace is bounded', () => {
  const task = {
    search: '(x?){200}x{200}|x',
    replacement: 'y',
    area: WHOLE_LIBRARY,
    accountArea: WHOLE_LIBRARY,
    isExpression: true,
    execute: true,
  }
  const replace = (limits: { files: number; computingTime: number }, wanted = task) =>
    createReplace({ ...parts, database: library.database }, limits)(wanted, by)
  beforeEach(() =>
    library.add(...Array.from({ length: 30 }, (_, at) => library.row(`x/${at}-${'z'.repeat(150)}`))),
  )

  test('in the number of files', async () => {
    await expect(replace({ files: 29, computingTime: 10_000 })).rejects.toMatchObject({
      code: 'too-many-hits',
    })
    expect((await replace({ files: 30, computingTime: 10_000 })).hits).toHaveLength(30)
  })

  test('in the time that an expression takes', async () => {
    await expect(replace({ files: 30, computingTime: 1 })).rejects.toMatchObject({
      code: 'expression-too-slow',
    })
    expect([...(await library.contents()).keys()].every(path => path.startsWith('x/'))).toBe(true)
  })

  test('also in the middle of one path', async () => {
    await library.clear()
    await library.add(library.row('a'.repeat(200)))
    const slow = { ...task, search: '((a?){16}){16}x|.' }
    const timeOf = async (work: Promise<unknown>) => {
      const started = performance.now()
      await work
      return performance.now() - started
    }
    const refused = await timeOf(
      replace({ files: 30, computingTime: 20 }, slow).catch(({ code }) =>
        expect(code).toBe('expression-too-slow'),
      ),
    )
    expect(refused).toBeLessThan(await timeOf(replace({ files: 30, computingTime: 600_000 }, slow)))
  })

  test('and an expression that is none is told without a file too', async () => {
    await library.clear()
    await expect(replace({ files: 30, computingTime: 5000 }, { ...task, search: '(' })).rejects.toMatchObject(
      {
        code: 'expression-invalid',
      },
    )
  })
})

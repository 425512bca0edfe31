import { describe, expect, test } from 'bun:test'
import { MEGABYTE } from '../../../../src/contract/values/units.ts'
import type { UploadCandidate } from './candidates.ts'
import {
  type ConflictChoice,
  type FindTakenPaths,
  isLowerCased,
  listOmittedFiles,
  makeJobs,
  makePlan,
  type UploadPlan,
} from './plan.ts'

const candidate = (path: string, size = 10, exact = false): UploadCandidate => ({
  file: { name: path.slice(path.lastIndexOf('/') + 1), size } as File,
  path,
  ...(exact && { mustKeepPath: exact }),
})
const holding =
  (...paths: string[]): FindTakenPaths =>
  async asked =>
    new Set(asked.filter(path => paths.includes(path)))
const bounds = { folder: 'items', maxBytes: 64 * MEGABYTE }

const plan = (paths: readonly string[], taken = holding(), folder = 'items') =>
  makePlan(
    paths.map(path => candidate(path)),
    { ...bounds, folder },
    taken,
  )
const jobs = (made: UploadPlan, conflicts: ConflictChoice, acceptCleanNames = true) =>
  makeJobs(made, { conflicts, acceptsCleanNames: acceptCleanNames }, 'action').map(
    ({ name, target, overwrite }) => [name, target, overwrite ? 'over' : ''].filter(Boolean).join(' '),
  )

describe('where files go', () => {
  test.each([
    ['items', 'apfel.png', 'items/apfel.png'],
    ['', 'apfel.png', 'apfel.png'],
    ['', 'Bilder/Apfel.PNG', 'bilder/apfel.png'],
    ['Alt', 'A.png', 'alt/a.png'],
    ['items', 'über uns.png', 'items/ueber-uns.png'],
    ['items', 'pack.zip', 'items/pack.zip'],
    // The archive is not stored, so its own name may be anything.
    ['items', 'Mein Paket (1).zip', 'items/mein paket (1).zip'],
    ['items', 'böse/pack.zip', 'items/boese/pack.zip'],
  ])('%j %s → %s', async (folder, path, target) => {
    const { plannedFiles: planned, rejectedFiles: rejected } = await plan([path], holding(), folder)
    expect([planned.map(each => each.target), rejected]).toEqual([[target], []])
  })

  test.each([
    ['a/b/c/d/e/f/g/h.png', 'deep'],
    [`${'x'.repeat(150)}/${'y'.repeat(60)}/a.png`, 'long'],
  ])('%s stays behind with the reason', async (path, fault) => {
    const { plannedFiles: planned, rejectedFiles: rejected } = await plan([path])
    expect(planned).toEqual([])
    expect(rejected.map(each => `${each.reason} ${each.fault}`)).toEqual([`path ${fault}`])
  })

  test('too large and empty are said before; an archive has a limit of its own', async () => {
    const given = [
      candidate('passt.png', 64 * MEGABYTE),
      candidate('gross.png', 64 * MEGABYTE + 1),
      candidate('leer.png', 0),
      candidate('paket.zip', 200 * MEGABYTE),
      candidate('riesig.zip', 300 * MEGABYTE),
    ]
    const { plannedFiles: planned, rejectedFiles: rejected } = await makePlan(given, bounds, holding())
    expect(planned.map(each => each.candidate.path)).toEqual(['passt.png', 'paket.zip'])
    expect(rejected.map(each => [each.candidate.path, each.reason])).toEqual([
      ['gross.png', 'large'],
      ['leer.png', 'empty'],
      ['riesig.zip', 'large'],
    ])
  })

  test('names that are not cleaned stay behind', async () => {
    const made = await plan(['gut.png', 'nicht gut.png'])
    expect(made.plannedFiles.map(each => each.fault !== null)).toEqual([false, true])
    expect(jobs(made, 'skip', false)).toEqual(['gut.png items/gut.png'])
    expect(jobs(made, 'skip')).toHaveLength(2)
  })
})

describe('conflicts', () => {
  const taken = holding('items/a.png', 'items/a-2.png', 'items/ueber.png')
  const made = plan(['A.png', 'b.png', 'über.png'], taken)

  test.each<[ConflictChoice, string[]]>([
    ['skip', ['b.png items/b.png']],
    ['overwrite', ['A.png items/a.png over', 'b.png items/b.png', 'über.png items/ueber.png over']],
    ['rename', ['A.png items/a-3.png', 'b.png items/b.png', 'über.png items/ueber-2.png']],
  ])('%s', async (choice, expected) => expect(jobs(await made, choice)).toEqual(expected))

  test('two of the same upload: never one over the other', async () => {
    const twins = ['A.png', 'a.png', 'ä b.png', 'ae-b.png']
    expect(jobs(await plan(twins), 'overwrite')).toEqual([
      'A.png items/a.png',
      'a.png items/a-2.png',
      'ä b.png items/ae-b.png',
      'ae-b.png items/ae-b-2.png',
    ])
    expect(jobs(await plan(twins), 'skip')).toEqual(['A.png items/a.png', 'ä b.png items/ae-b.png'])
  })

  test('a free name is not given twice, nor to a file that comes along', async () => {
    const made = await plan(['A.png', 'a.png', 'a-2.png'], holding('items/a.png'))
    expect(jobs(made, 'rename')).toEqual([
      'A.png items/a-3.png',
      'a.png items/a-4.png',
      'a-2.png items/a-2.png',
    ])
  })

  test('also behind many numbers', async () => {
    const many = holding('items/a.png', ...Array.from({ length: 30 }, (_, at) => `items/a-${at + 2}.png`))
    expect(jobs(await plan(['a.png'], many), 'rename')).toEqual(['a.png items/a-32.png'])
  })
})

describe('a path that somebody asked for', () => {
  const exactly = (path: string) =>
    makePlan([candidate(path, 10, true)], { ...bounds, folder: '' }, holding())

  test.each([
    ['items/WEAPON_A.png', 'items/weapon_a.png', true],
    ['items/weapon_a.png', 'items/weapon_a.png', false],
  ])('%s is stored in small letters, and whether that changes it is known', async (path, target, lowered) => {
    const [planned] = (await exactly(path)).plannedFiles
    expect([planned!.target, isLowerCased(planned!)]).toEqual([target, lowered])
  })

  test('is not cleaned: it is meant as it is', async () => {
    const { rejectedFiles: rejected } = await exactly('items/a b.png')
    expect(rejected.map(each => each.reason)).toEqual(['path'])
  })
})

test('what is not sent has a reason each', async () => {
  const made = await makePlan(
    [
      candidate('da.png'),
      candidate('Über.png'),
      candidate('leer.png', 0),
      candidate('gross.png', bounds.maxBytes + 1),
      candidate('gut.png'),
    ],
    bounds,
    holding('items/da.png'),
  )
  const reasons = (conflicts: ConflictChoice, acceptCleanNames: boolean) =>
    Object.fromEntries<unknown>(
      listOmittedFiles(made, { conflicts, acceptsCleanNames: acceptCleanNames }, 7).map(
        ({ name, reason: why }) => [name, why],
      ),
    )
  const always = { 'leer.png': { cause: 'empty' }, 'gross.png': { cause: 'large', maxBytes: 7 } }
  expect(reasons('overwrite', true)).toEqual(always)
  expect(reasons('skip', false)).toEqual({
    ...always,
    'da.png': { cause: 'skipped' },
    'Über.png': { cause: 'path', fault: 'letters' },
  })
})

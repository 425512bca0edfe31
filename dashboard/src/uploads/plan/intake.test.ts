import { describe, expect, test } from 'bun:test'
import type { UploadCandidate } from './candidates.ts'
import { createIntake, type IntakeParts, type PendingIntake } from './intake.ts'
import type { UploadJob } from './plan.ts'

const candidate = (path: string): UploadCandidate => ({ file: { name: path, size: 1 } as File, path })

function intakeWith(parts: Partial<IntakeParts>) {
  const shown: (PendingIntake | null)[] = []
  const jobs: UploadJob[] = []
  const take = createIntake({
    findTakenPaths: async () => new Set(),
    getMaxBytes: async () => 100,
    newId: () => 'action',
    onPending: pending => void shown.push(pending),
    onJobs: more => void jobs.push(...more),
    ...parts,
  })
  const pending = async <Kind extends PendingIntake['kind']>(kind: Kind) => {
    while (shown.at(-1)?.kind !== kind) await new Promise(resolve => setTimeout(resolve, 1))
    return shown.at(-1) as Extract<PendingIntake, { kind: Kind }>
  }
  const rest = async () => {
    while (shown.at(-1) !== null) await new Promise(resolve => setTimeout(resolve, 1))
    return jobs.map(({ target }) => target)
  }
  return { take, shown, pending, rest }
}

describe('intake', () => {
  test('asks nothing where there is nothing to decide', async () => {
    const on = intakeWith({})
    on.take([candidate('A.png')], 'items')
    expect([await on.rest(), on.shown.map(each => each?.kind)]).toEqual([
      ['items/a.png'],
      ['preparing', undefined],
    ])
  })

  test('small letters are asked about where the very path was wanted, and only there', async () => {
    const on = intakeWith({})
    on.take([{ ...candidate('items/AXE.png'), mustKeepPath: true }], '')
    const { plan, answer } = await on.pending('question')
    expect(plan.plannedFiles.map(({ target }) => target)).toEqual(['items/axe.png'])
    answer({ conflicts: 'skip', acceptsCleanNames: true })
    on.take([{ ...candidate('items/bow.png'), mustKeepPath: true }], '')
    while ((await on.rest()).length < 2) await Promise.resolve()
    expect(await on.rest()).toEqual(['items/axe.png', 'items/bow.png'])
    expect(on.shown.filter(each => each?.kind === 'question')).toHaveLength(1)
  })

  test('asks once for all; no answer, no upload', async () => {
    const on = intakeWith({ findTakenPaths: async paths => new Set(paths.filter(path => !/-\d/.test(path))) })
    on.take([candidate('a.png'), candidate('b.png')], '')
    ;(await on.pending('question')).answer({ conflicts: 'rename', acceptsCleanNames: true })
    expect(await on.rest()).toEqual(['a-2.png', 'b-2.png'])
    on.take([candidate('c.png')], '')
    ;(await on.pending('question')).answer(null)
    expect(await on.rest()).toHaveLength(2)
  })

  test('two hand-overs: the second waits for the answer to the first', async () => {
    const on = intakeWith({ findTakenPaths: async paths => new Set(paths.filter(path => path === 'a.png')) })
    on.take([candidate('a.png')], '')
    on.take([candidate('z.png')], '')
    const question = await on.pending('question')
    expect(on.shown.filter(each => each?.kind === 'preparing')).toHaveLength(1)
    question.answer({ conflicts: 'overwrite', acceptsCleanNames: true })
    while ((await on.rest()).length < 2) await Promise.resolve()
    expect(await on.rest()).toEqual(['a.png', 'z.png'])
  })

  test('a failure is shown and nothing is lost: again does it', async () => {
    let failing = true
    const on = intakeWith({
      getMaxBytes: async () => {
        if (failing) throw new Error('x')
        return 100
      },
    })
    on.take([candidate('a.png')], '')
    const failed = await on.pending('failed')
    failing = false
    failed.retry()
    expect(await on.rest()).toEqual(['a.png'])
  })

  test('a folder that cannot be read is read once more', async () => {
    const on = intakeWith({})
    let attempts = 0
    on.take(async () => {
      if (++attempts === 1) throw new DOMException('not readable', 'NotReadableError')
      return [candidate('a.png')]
    }, '')
    ;(await on.pending('failed')).retry()
    expect(await on.rest()).toEqual(['a.png'])
  })
})

/**
 * test/unsteady.json lists the test files that may fail beside others and get a second try by themselves; all others get
 * none. The list only becomes shorter.
 */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import unsteady from '../unsteady.json'

const REPOSITORY = join(import.meta.dir, '../..')

/** Lower it with each file that leaves the list; never raise it. */
const MOST = 0

/** What these find may be a lost file, however seldom it happens. */
const NEVER_FOLDERS = /^test\/(crash|conformance|many)\//

async function complaints(list: readonly string[]): Promise<string[]> {
  const found: string[] = []
  if (list.length !== MOST) found.push(`${list.length} files instead of ${MOST}`)
  for (const file of list) {
    const source = Bun.file(join(REPOSITORY, file))
    if (!(await source.exists())) found.push(`${file} does not exist`)
    else if (NEVER_FOLDERS.test(file) || /fast-check|seededRandom/.test(await source.text()))
      found.push(`${file} makes random choices or proves that nothing is lost: no second try`)
  }
  return found
}

test('the list of unsteady test files has not grown, and has no crash, conformance or property test', async () => {
  expect(await complaints(unsteady)).toEqual([])
})

test('a list that grew, or holds a file that must pass at once, is found', async () => {
  const files = ['src/gone.test.ts', 'test/crash/kill.test.ts', 'src/contract/bytes.test.ts']
  expect(await complaints(files)).toEqual([
    `3 files instead of ${MOST}`,
    'src/gone.test.ts does not exist',
    'test/crash/kill.test.ts makes random choices or proves that nothing is lost: no second try',
    'src/contract/bytes.test.ts makes random choices or proves that nothing is lost: no second try',
  ])
})

/**
 * `GET /api/dash/verlauf/datei/<path>`: the history of one file, which follows the file through its renames.
 */
import { expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { type HistoryEntry, sharedLibrary } from '../support/library.ts'
import { restore, throwAway } from '../support/trash.ts'

const on = sharedLibrary()

const put = (path: string, content: string) => store(on.service, on.token, path, content)
async function historyOf(path: string): Promise<string[]> {
  const response = await on.get(`verlauf/datei/${path}`)
  const { eintraege } = (await response.json()) as { eintraege: HistoryEntry[] }
  return eintraege.map(
    ({ was, pfad, einzelheiten }) => `${was} ${pfad}${einzelheiten ? ` < ${einzelheiten}` : ''}`,
  )
}

test('after renames, moves and overwriting the history of a file still holds its upload', async () => {
  await put('a/one.txt', 'one')
  await on.done('media/umbenennen', { pfad: 'a/one.txt', name: 'two.txt' })
  await put('a/two.txt', 'two!')
  await on.done('media/verschieben', { pfade: ['a/two.txt'], ordner: 'b' })
  await on.done('folders/umbenennen', { ordner: 'b', name: 'c' })
  expect(await historyOf('c/two.txt')).toEqual([
    'umbenannt c/two.txt < b/two.txt',
    'verschoben b/two.txt < a/two.txt',
    'ueberschrieben a/two.txt',
    'umbenannt a/two.txt < a/one.txt',
    'hochgeladen a/one.txt',
  ])
})

test('the twin: another file that came to the old name later has its own history alone', async () => {
  await put('x/one.txt', 'one')
  await on.done('media/umbenennen', { pfad: 'x/one.txt', name: 'two.txt' })
  await put('x/one.txt', 'another')
  await put('x/one.txt.bak', 'more')
  expect(await historyOf('x/one.txt')).toEqual(['hochgeladen x/one.txt'])
  expect(await historyOf('x/two.txt')).toEqual(['umbenannt x/two.txt < x/one.txt', 'hochgeladen x/one.txt'])
})

test('two files that change places keep their own uploads', async () => {
  await put('swap/a.txt', 'a')
  await put('swap/b.txt', 'bb')
  await on.done('media/umbenennen', { pfad: 'swap/a.txt', name: 'c.txt' })
  await on.done('media/umbenennen', { pfad: 'swap/b.txt', name: 'a.txt' })
  await on.done('media/umbenennen', { pfad: 'swap/c.txt', name: 'b.txt' })
  expect(await historyOf('swap/b.txt')).toEqual([
    'umbenannt swap/b.txt < swap/c.txt',
    'umbenannt swap/c.txt < swap/a.txt',
    'hochgeladen swap/a.txt',
  ])
})

test('trash and back belongs to it, what another file did at its place meanwhile does not', async () => {
  await put('bin/a.txt', 'first')
  const [first] = await throwAway(on.service, on.session, 'bin/a.txt')
  await put('bin/a.txt', 'the second')
  const second = (await on.done<{ nummern: number[] }>('media/loeschen', { pfade: ['bin/a.txt'] }))
    .nummern[0]!
  await restore(on.service, on.session, first!)
  await on.done('papierkorb/leeren', { nummern: [second] })
  expect(await historyOf('bin/a.txt')).toEqual([
    'wiederhergestellt bin/a.txt',
    'geloescht bin/a.txt',
    'hochgeladen bin/a.txt',
  ])
})

test('no file there: 404', async () => {
  await put('gone/a.txt', 'a')
  await throwAway(on.service, on.session, 'gone/a.txt')
  await expectError(await on.get('verlauf/datei/gone/a.txt'), 404)
})

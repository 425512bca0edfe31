import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder } from '../../../test/support/folder.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { flushFolder, longPath, makePrivate, renameWithRetry } from './platform.ts'

const coded = (code: string) => Object.assign(new Error(code), { code })

/**
 * A rename that fails with each of `errors` in turn, then succeeds; and a sleep that only records its pauses.
 */
function scripted(errors: readonly Error[], mayRetry = true) {
  const calls: [string, string][] = []
  const pauses: number[] = []
  const parts = {
    mayRetry,
    async rename(from: string, to: string) {
      calls.push([from, to])
      const error = errors[calls.length - 1]
      if (error) throw error
    },
    async sleep(milliseconds: number) {
      pauses.push(milliseconds)
    },
  }
  return { calls, pauses, parts }
}

describe('renameWithRetry', () => {
  test('what works at once is done once', async () => {
    const { calls, pauses, parts } = scripted([])
    await renameWithRetry('from', 'to', parts)
    expect(calls).toEqual([['from', 'to']])
    expect(pauses).toEqual([])
  })

  test.each(['EPERM', 'EACCES', 'EBUSY'])('%s is tried again until it works', async code => {
    const { calls, pauses, parts } = scripted([coded(code), coded(code), coded(code)])
    await renameWithRetry('from', 'to', parts)
    expect(calls.length).toBe(4)
    expect(pauses).toEqual([5, 10, 20])
  })

  test.each(['ENOENT', 'EEXIST', 'ENOSPC', 'EXDEV', 'EROFS'])('%s is final', async code => {
    const error = coded(code)
    const { calls, pauses, parts } = scripted([error, error])
    expect(await renameWithRetry('from', 'to', parts).catch(e => e)).toBe(error)
    expect([calls.length, pauses.length]).toEqual([1, 0])
  })

  test('another trouble in between is final too', async () => {
    const { calls, parts } = scripted([coded('EBUSY'), coded('ENOENT')])
    expect(errorCode(await renameWithRetry('from', 'to', parts).catch(e => e))).toBe('ENOENT')
    expect(calls.length).toBe(2)
  })

  test('gives up after about 1.6 seconds, with the last refusal', async () => {
    const errors = Array.from({ length: 50 }, (_, at) => Object.assign(coded('EBUSY'), { at }))
    const { calls, pauses, parts } = scripted(errors)
    const refusal = await renameWithRetry('from', 'to', parts).catch(e => e)
    expect(refusal).toBe(errors[calls.length - 1])
    const waited = pauses.reduce((sum, pause) => sum + pause, 0)
    expect(waited).toBeGreaterThan(1000)
    expect(waited).toBeLessThan(2000)
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  })

  test('elsewhere than on Windows the first refusal is final', async () => {
    const { calls, pauses, parts } = scripted([coded('EPERM')], false)
    expect(errorCode(await renameWithRetry('from', 'to', parts).catch(e => e))).toBe('EPERM')
    expect([calls.length, pauses.length]).toEqual([1, 0])
  })
})

describe('errorCode', () => {
  test.each<[string, unknown, string]>([
    ['a system error', coded('ENOENT'), 'ENOENT'],
    ['any other error', new Error('plain'), ''],
    ['a code that is a number', Object.assign(new Error('number'), { code: 5 }), ''],
    ['what is no error', { code: 'ENOENT' }, ''],
    ['a string', 'ENOENT', ''],
    ['null', null, ''],
    ['nothing', undefined, ''],
  ])('of %s', (_, error, code) => expect(errorCode(error)).toBe(code))
})

test.skipIf(process.platform === 'win32')('elsewhere than on Windows a path is its own long form', () =>
  expect(longPath('/a/b')).toBe('/a/b'),
)

test.each([
  ['C:\\a\\b', '\\\\?\\C:\\a\\b'],
  ['c:/a/b', '\\\\?\\c:\\a\\b'],
  ['\\\\nas\\share\\a', '\\\\nas\\share\\a'],
  ['//nas/share/a', '//nas/share/a'],
  ['\\\\?\\C:\\a', '\\\\?\\C:\\a'],
])('on Windows the long form of %s is %s', (path, long) => expect(longPath(path, true)).toBe(long))

test.skipIf(process.platform === 'win32')(
  'flushing a folder that is not there is an error, not a success',
  async () => {
    await flushFolder(import.meta.dir)
    expect(errorCode(await flushFolder('/nowhere/at/all').catch(e => e))).toBe('ENOENT')
  },
)

describe.skipIf(process.platform === 'win32')('closeToOthers', () => {
  test.each([
    ['of all', 0o755, 0o700, true],
    ['of the group alone', 0o750, 0o700, true],
    ['of writing for others', 0o702, 0o700, true],
    ['with the mark that files belong to the group of the folder', 0o2770, 0o2700, true],
    ['of nobody else', 0o700, 0o700, false],
    ['of nobody else, and not even to write', 0o500, 0o500, false],
  ])('rights %s: %o becomes %o', async (_, before, after, changed) => {
    await using folder = await openFolder()
    const path = join(folder.path, 'x')
    mkdirSync(path)
    chmodSync(path, before)
    expect(await makePrivate(path)).toBe(changed)
    expect(statSync(path).mode & 0o7777).toBe(after)
  })

  test('a folder that all users share is left as it is, and what is not there is no trouble', async () => {
    await using folder = await openFolder()
    const { path } = folder
    chmodSync(path, 0o1777)
    await expect(makePrivate(path)).rejects.toThrow('all users')
    expect(statSync(path).mode & 0o7777).toBe(0o1777)
    expect(await makePrivate(join(path, 'absent'))).toBe(false)
  })
})

import { describe, expect, test } from 'bun:test'
import { nextTurn } from '../../test/support/wait.ts'
import { createRequestIds } from './request-id.ts'

const ids = createRequestIds({ newId: length => 'new'.padEnd(length ?? 16, '-') })
const NEW = 'new-------'
const bringing = (id: string) => new Request('http://x/', { headers: { 'X-Request-Id': id } })

describe('the id of a request', () => {
  test.each(['a', 'A.b_c-9', 'f'.repeat(64)])('is the one it brings along: %s', id => {
    expect(ids.idOf(bringing(id))).toBe(id)
  })

  test.each([
    ['', 'nothing in it'],
    ['f'.repeat(65), 'too long'],
    ['a b', 'a blank'],
    ['a"b', 'a quote'],
    ['<script>', 'a tag'],
    ['ü', 'an umlaut'],
    ['{"level":"error"}', 'a log line'],
  ])('is a new one where that is unfit: %s (%s)', given => {
    expect(ids.idOf(bringing(given))).toBe(NEW)
  })

  test('is a new one without any', () => {
    expect([ids.idOf(new Request('http://x/')), ids.idOf()]).toEqual([NEW, NEW])
  })
})

describe('while a request is worked on', () => {
  test('everything it waits for knows its id, two at once keep apart, outside there is none', async () => {
    const seen = async (turns: number) => {
      for (let turn = 0; turn < turns; turn++) await nextTurn()
      return ids.currentId()
    }
    const both = [ids.runWithId('one', () => seen(5)), ids.runWithId('two', () => seen(1))]
    expect(ids.currentId()).toBeUndefined()
    expect(await Promise.all(both)).toEqual(['one', 'two'])
  })

  test('an error is counted to it, not to what the request of somebody else brings along', async () => {
    expect(await ids.runWithId('one', async () => ids.idOf(bringing('other')))).toBe('one')
  })

  test('what it set going and did not wait for is nobody’s after the answer', async () => {
    const later = Promise.withResolvers<string | undefined>()
    await ids.runWithId('one', async () => void setImmediate(() => later.resolve(ids.currentId())))
    expect(await later.promise).toBeUndefined()
  })

  test('a failure ends it too', async () => {
    const later = Promise.withResolvers<string | undefined>()
    const failing = ids.runWithId('one', async () => {
      setImmediate(() => later.resolve(ids.currentId()))
      throw new Error('trouble')
    })
    await expect(failing).rejects.toThrow('trouble')
    expect(await later.promise).toBeUndefined()
  })
})

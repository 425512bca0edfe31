import { expect, test } from 'bun:test'
import { createLineBuffer } from './log.ts'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

test('the lines of one turn of the event loop are written together', async () => {
  const written: string[] = []
  const lines = createLineBuffer(text => written.push(text))
  lines.write('a\n')
  lines.write('b\n')
  expect(written).toEqual([])
  await nextTurn()
  expect(written).toEqual(['a\nb\n'])
  lines.write('c\n')
  await nextTurn()
  expect(written).toEqual(['a\nb\n', 'c\n'])
})

test('what is written together is no longer than what the system writes in one piece: 4096 bytes', async () => {
  const written: string[] = []
  const lines = createLineBuffer(text => written.push(text))
  // 1501 bytes each, but only 751 characters.
  const line = `${'ü'.repeat(750)}\n`
  for (let n = 0; n < 5; n++) lines.write(line)
  await nextTurn()
  expect(written).toEqual([line + line, line + line, line])
})

test('at the end of the process nothing waits for the next turn', () => {
  const written: string[] = []
  const lines = createLineBuffer(text => written.push(text))
  lines.write('last words\n')
  lines.flush()
  lines.flush()
  expect(written).toEqual(['last words\n'])
})

import { expect, test } from 'bun:test'
import { createFormatter } from '../formatter.ts'
import { createProgress } from './progress.ts'

function openProgress(terminal: boolean) {
  const written: string[] = []
  let clock = 0
  const progress = createProgress({
    label: 'Sicherung',
    unit: 'bytes',
    formatter: createFormatter('de'),
    isTerminal: terminal,
    write: text => written.push(text),
    now: () => clock,
  })
  const after = (milliseconds: number, done: number, total: number | null) => {
    clock += milliseconds
    progress.update(done, total)
  }
  return { written, progress, after }
}
const MB = 1024 * 1024

test('a terminal shows a bar in place, with speed and time left, ten times a second at the most', () => {
  const { written, progress, after } = openProgress(true)
  after(0, 0, 100 * MB)
  after(50, MB, 100 * MB)
  expect(written).toHaveLength(1)
  after(3950, 40 * MB, 100 * MB)
  expect(written[1]).toBe(
    '\r\x1b[2KSicherung: ██████████░░░░░░░░░░░░░░ 40 % · 40 MB von 100 MB · 10 MB/s · noch 6 s',
  )
  progress.end()
  expect(written.at(-1)).toBe('\r\x1b[2K')
})

test('elsewhere it is a line every ten seconds', () => {
  const { written, progress, after } = openProgress(false)
  for (let second = 0; second < 25; second++) after(1000, (second + 1) * MB, 100 * MB)
  progress.end()
  expect(written).toEqual([
    'Sicherung: 10 % · 10 MB von 100 MB · 1 MB/s · noch 2 min\n',
    'Sicherung: 20 % · 20 MB von 100 MB · 1 MB/s · noch 2 min\n',
  ])
})

test('a total that nobody knows, or that is nothing, gives no share of it', () => {
  const { written, after } = openProgress(true)
  after(0, 5, null)
  after(200, 0, 0)
  expect(written.map(text => text.replace('\r\x1b[2K', ''))).toEqual([
    'Sicherung: 5 Byte',
    'Sicherung: 0 Byte',
  ])
})

test('time left is said in seconds, minutes, or hours', () => {
  const remainingText = (total: number) => {
    const { written, after } = openProgress(true)
    after(2000, 2 * MB, total)
    return written[0]?.split('noch ')[1]
  }
  expect([remainingText(10 * MB), remainingText(600 * MB), remainingText(8000 * MB)]).toEqual([
    '8 s',
    '10 min',
    '2 h 13 min',
  ])
})

import { expect, test } from 'bun:test'
import { createLog } from '../../base/log.ts'
import { createHeartbeatWatch } from './watch.ts'
import type { WorkerProcess } from './worker-process.ts'

function watching(patience: number) {
  const killed: number[] = []
  const lines: string[] = []
  let tick = () => {}
  const every = ((run: () => void) => {
    tick = run
    return { unref() {} }
  }) as unknown as typeof setInterval
  const log = createLog({ level: 'info', isHumanReadable: false, write: line => lines.push(line) })
  const watch = createHeartbeatWatch({ hangTimeout: patience, log }, every)
  const worker = (number: number) =>
    ({ number, pid: 100 + number, kill: () => killed.push(number) }) as unknown as WorkerProcess
  return {
    watch,
    worker,
    killed,
    lines,
    pass: (ticks: number) => Array.from({ length: ticks }, () => tick()),
  }
}

test('a worker that is silent for longer than the patience is killed once, and the log says so', () => {
  const { watch, worker, killed, lines, pass } = watching(5_000)
  watch.startWatching(worker(1))
  pass(5)
  expect(killed).toEqual([])
  pass(20)
  expect(killed).toEqual([1])
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'error', message: 'a worker hangs and is killed', worker: 1, pid: 101, seconds: 5 },
  ])
})

test('a worker that is heard of, has ended, or does not answer requests yet is left alone', () => {
  const { watch, worker, killed, pass } = watching(5_000)
  const [heard, ended, starting] = [worker(1), worker(2), worker(3)]
  watch.startWatching(heard)
  watch.startWatching(ended)
  watch.stopWatching(ended)
  // A heartbeat of a worker that is not watched yet, or no longer, does not start the watch.
  watch.onHeartbeat(ended)
  watch.onHeartbeat(starting)
  for (let n = 0; n < 10; n++) {
    pass(4)
    watch.onHeartbeat(heard)
  }
  expect(killed).toEqual([])
})

import { expect, test } from 'bun:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { refreshQueries } from './use-refresh.ts'

/** A query that is shown; the test answers each request, with what existed when it was made. */
function shown() {
  const queries = new QueryClient()
  const requests: { answer(): Promise<void>; signal: AbortSignal }[] = []
  const state = { now: 0, asked: 0 }
  const observer = new QueryObserver(queries, {
    queryKey: ['media'],
    queryFn: ({ signal }) =>
      new Promise<number>(resolve => {
        const seen = state.now
        state.asked++
        requests.push({
          signal,
          async answer() {
            resolve(seen)
            await settled()
          },
        })
      }),
  })
  observer.subscribe(() => {})
  return { queries, requests, state, data: () => queries.getQueryData<number>(['media']) }
}
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await Bun.sleep(0)
}
const change = async (on: ReturnType<typeof shown>) => {
  on.state.now++
  void refreshQueries(on.queries, { queryKey: ['media'] })
  await settled()
}

test('changes faster than answers: every answer arrives, and the last one is that of the last change', async () => {
  const on = shown()
  await on.requests.shift()!.answer()
  const seen = new Set<number | undefined>()
  for (let round = 0; round < 10; round++) {
    await change(on)
    await change(on)
    await change(on)
    await on.requests.shift()!.answer()
    seen.add(on.data())
  }
  expect(seen.size).toBe(10)
  while (on.requests.length > 0) await on.requests.shift()!.answer()
  expect(on.data()).toBe(30)
})

test('one request is enough for any number of changes while another is on its way', async () => {
  const on = shown()
  await on.requests.shift()!.answer()
  for (let changes = 0; changes < 20; changes++) await change(on)
  expect([on.requests.length, on.requests[0]!.signal.aborted]).toEqual([1, false])
  await on.requests.shift()!.answer()
  await on.requests.shift()!.answer()
  expect([on.data(), on.state.asked, on.requests.length]).toEqual([20, 3, 0])
})

test('whoever waits for it sees the change', async () => {
  const on = shown()
  const first = on.requests.shift()!
  on.state.now = 1
  const refreshed = refreshQueries(on.queries).then(on.data)
  await first.answer()
  await on.requests.shift()!.answer()
  expect(await refreshed).toBe(1)
})

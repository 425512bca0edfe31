import { expect, test } from 'bun:test'
import { useInstance } from '../testing/instance.ts'
import { createRecordedDailyJob } from './daily-job-in-database.ts'

const { database } = await useInstance()

test('a run is noted when it begins, also one that fails; each job by its name', async () => {
  let clock = 1000
  const { signal } = new AbortController()
  const job = (name: string) =>
    createRecordedDailyJob(
      { database, now: () => clock },
      { name, dailyAt: () => '04:30', run: () => Promise.reject(new Error('trouble')) },
    )
  expect(await job('one').lastRun()).toBeNull()
  await expect(job('one').run(signal)).rejects.toThrow('trouble')
  expect(await job('one').lastRun()).toBe(1000)
  clock = 2000
  await expect(job('one').run(signal)).rejects.toThrow('trouble')
  expect([await job('one').lastRun(), await job('other').lastRun()]).toEqual([2000, null])
})

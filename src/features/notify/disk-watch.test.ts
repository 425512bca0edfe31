import { describe, expect, test } from 'bun:test'
import { diskLevel } from './disk-watch.ts'
import { openNotifyInstance } from './testing.ts'

const usedSpace = (percent: number) => ({ used: percent * 10, free: (100 - percent) * 10, total: 1000 })

test.each([
  [89.9, 0, 0],
  [90, 0, 90],
  [94.9, 0, 90],
  [95, 0, 95],
  [95, 90, 95],
  [94, 95, 95],
  [93, 95, 95],
  [92.9, 95, 90],
  [89, 90, 90],
  [88, 90, 90],
  [87.9, 90, 0],
  [50, 95, 0],
])('%d %% used, %i told: %i', (percent, told, level) => {
  expect(diskLevel(percent, told)).toBe(level)
})

async function course(...percents: number[]): Promise<string[]> {
  await using world = await openNotifyInstance()
  const { disk, watchDisk, deliver } = await world.startProcess()
  for (const percent of percents) {
    disk.space = usedSpace(percent)
    await watchDisk()
    await watchDisk()
    await deliver()
  }
  return world.sentTexts.map(text => text.replace('Fundus: ', ''))
}

describe('the disk is told of', () => {
  test('once from 90, once from 95, once when there is room again', async () => {
    expect(await course(50, 89, 90, 92, 95, 99, 94, 92, 89, 60, 50)).toEqual([
      'Die Platte wird voll: 90 % sind belegt.',
      'Die Platte ist fast voll: 95 % sind belegt. Bitte bald Platz schaffen.',
      'Auf der Platte ist wieder Platz: 60 % sind belegt.',
    ])
  })

  test('once when it fills at a stroke, and not at the edge again and again', async () => {
    expect(await course(50, 97)).toHaveLength(1)
    expect(await course(89, 90, 89, 90, 89, 90)).toHaveLength(1)
    expect(await course(10, 50, 89.9)).toEqual([])
  })

  test('again after there was room in between', async () => {
    expect(await course(91, 80, 91)).toHaveLength(3)
  })
})

test('a disk that is full already is told of when somebody wants to know; one without a size never', async () => {
  await using world = await openNotifyInstance()
  const { disk, watchDisk, deliver } = await world.startProcess()
  world.environment.WEBHOOK_ANLAESSE = 'upload'
  disk.space = usedSpace(96)
  await watchDisk()
  await deliver()
  expect(world.sentTexts).toEqual([])
  world.environment.WEBHOOK_ANLAESSE = 'platte'
  disk.space = null
  await watchDisk()
  expect(world.sentTexts).toEqual([])
  disk.space = usedSpace(96)
  await watchDisk()
  await deliver()
  expect(world.sentTexts).toHaveLength(1)
})

test('several instances and a restart: once', async () => {
  await using world = await openNotifyInstance()
  const instances = await Promise.all(Array.from({ length: 3 }, world.startProcess))
  for (const { disk } of instances) disk.space = usedSpace(91)
  await Promise.all(instances.map(each => each.watchDisk()))
  const restarted = await world.startProcess()
  restarted.disk.space = usedSpace(91)
  await restarted.watchDisk()
  await restarted.deliver()
  expect(world.sentTexts).toHaveLength(1)
})

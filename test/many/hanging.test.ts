/**
 * A database or a store that hangs: requests that need it fail within the time limit, all at once, and others
 * do not wait.
 */
import { expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { useTwoMachines } from '../support/two-machines.ts'
import { eventually } from '../support/wait.ts'

const machines = useTwoMachines()

const well = () =>
  eventually(
    'the instance stores again',
    async () => (await machines().one.put('well.txt', 'x')).status === 200,
  )

test('while the database hangs, /health and the page answer before anything that needs it', async () => {
  const { one } = machines()
  expect((await one.put('a.txt', 'x')).status).toBe(200)
  one.proxy.vanish()
  try {
    const order: string[] = []
    const seen = (name: string) => (answer: Response) => {
      order.push(name)
      return answer.status
    }
    const asked = [
      one.put('b.txt', 'x').then(seen('upload')),
      one.get('a.txt').then(seen('file')),
      fetch(`${one.service.url}/health`).then(seen('health')),
      fetch(one.service.url, { headers: { Accept: 'text/html' } }).then(seen('page')),
    ]
    const [, , health] = await Promise.all(asked)
    expect(health).toBe(200)
    expect(order.slice(0, 2).toSorted()).toEqual(['health', 'page'])
  } finally {
    one.proxy.comeBack()
  }
  await well()
})

test('twenty uploads at once to a database that hangs, and to a store that hangs: each is told, and all is well afterwards', async () => {
  const { one, ceph, postgres } = machines()
  const pauseGateway = () => {
    ceph.pauseGateway()
    return () => ceph.resumeGateway()
  }
  for (const hang of [postgres.pause, pauseGateway]) {
    const goOn = hang()
    try {
      const uploads = Array.from({ length: 20 }, (_, n) => one.put(`hang/${n}.txt`, 'x'))
      for (const answer of await Promise.all(uploads)) await expectError(answer, 503)
    } finally {
      goOn()
    }
    await well()
  }
})

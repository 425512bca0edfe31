/** The two commands of the README on a bare Debian 12 with a current Node. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { freePort } from '../support/ports.ts'
import { needsTool } from '../support/tools.ts'
import { type BareDebian, findDebootstrap, openBareDebian } from './bare-debian.ts'

setDefaultTimeout(1_200_000)
needsTool('debootstrap', findDebootstrap)

let machine: BareDebian
beforeAll(async () => {
  if (findDebootstrap() !== null) machine = await openBareDebian('bookworm')
})
afterAll(() => machine?.[Symbol.asyncDispose]())

test('npm ci && npm start', async () => {
  const port = freePort()
  await using started = machine.start('npm ci && npm start', { LANG: 'en_US.UTF-8', PORT: String(port) })
  expect(await started.seen(`http://localhost:${port}`, 600_000)).not.toMatch(/EBADENGINE|npm error/)
  expect((await fetch(`http://localhost:${port}/health`)).status).toBe(200)
  expect((await started.end()).shown).toContain('Stopped.')
})

test('npm ci && npm test installs no object store: the tests on one are named as not run, exit code 0', async () => {
  const files =
    'src/contract/values/bytes.test.ts test/conformance/storage.test.ts test/browser/compat.test.ts'
  const { code, stdout, stderr } = await machine.run(`npm ci && npm test -- ${files}`)
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout, stderr })
  console.log(`Debian 12: ${/Installing with apt-get, once: (.*)/.exec(stdout)?.[1]}`)
  expect(stdout.trimEnd().split('\n').slice(-4)).toEqual([
    'Not run, because this machine lacks something:',
    expect.stringMatching(/^ {2}\d+ tests on an S3-compatible store: radosgw is not installed$/),
    expect.stringContaining('ceph-mon'),
    'Everything else passed.',
  ])
})

/**
 * A new user's first minutes: a bare Debian 13 with git, curl and its own Node and npm, a clone, and nothing
 * but the commands of README.md and README.de.md, parsed from there and run verbatim. Fails if README and
 * program disagree.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../browser/chromium.ts'
import { freePort, listens } from '../support/ports.ts'
import type { AtTerminal } from '../support/terminal.ts'
import { needsTool } from '../support/tools.ts'
import { type BareDebian, findDebootstrap, openBareDebian } from './bare-debian.ts'
import { addressesOf, commandsOf } from './readme.ts'

setDefaultTimeout(1_200_000)
needsTool('debootstrap', findDebootstrap)

const REPOSITORY = resolve(import.meta.dir, '../..')
const INSTALL_DEADLINE = 500_000
const START_DEADLINE = 180_000
/**
 * From the clone to the first picture, without the network; in processor time per core, which other load does
 * not lengthen.
 */
const BAR_SECONDS = 60
const LINK = /(http:\/\/localhost:\d+)\/einrichtung#code=(\S+)/

let machine: BareDebian
let browser: Browser
/** 8080 as in the README, unless something else listens there. */
let port = 8080
beforeAll(async () => {
  if (findDebootstrap() === null) return
  if (await listens(port)) port = freePort()
  ;[machine, browser] = await Promise.all([openBareDebian('trixie'), launchChromium()])
  console.log(`The README is followed in a bare Debian 13, on port ${port}.`)
})
afterAll(async () => {
  await browser?.close()
  await machine?.[Symbol.asyncDispose]()
})

const typed = (text: string) => text.replaceAll(':8080', `:${port}`)
const environment = () => ({ LANG: 'en_US.UTF-8', ...(port !== 8080 && { PORT: String(port) }) })

async function readme(name: string) {
  const text = await Bun.file(join(REPOSITORY, name)).text()
  const commands = commandsOf(text)
  const starting = commands.findIndex(({ text }) => text.includes('npm start'))
  const testing = commands.findIndex(({ text }) => text.includes('npm test'))
  expect([starting, testing]).toEqual([0, commands.length - 1])
  return {
    start: commands[0]!.text,
    others: commands.slice(1, -1).map(each => each.text),
    addresses: addressesOf(text),
  }
}

/** All commands after the start, in one shell, so that each uses what an earlier one has set. */
async function follow({ others, addresses }: { others: string[]; addresses: string[] }, code: string) {
  const lines = others.map(text => typed(text).replace('XXXX-XXXX-XXXX', code))
  for (const text of others) expect(text.replace('XXXX-XXXX-XXXX', '')).not.toMatch(/…|<[^>]+>|XXXX/)
  const script = ['set -e', ...lines.map((line, at) => `echo "[${at}]"; ${line}\necho`)].join('\n')
  const { code: exit, stdout, stderr } = await machine.run(script, environment())
  expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout, stderr })
  for (const address of addresses.filter(each => /\/[ft]\//.test(each))) {
    const answer = await fetch(typed(address))
    expect([address, answer.status, answer.headers.get('content-type')]).toEqual([
      address,
      200,
      expect.stringMatching(/^image\//),
    ])
  }
  return stdout
}

async function begun(started: AtTerminal): Promise<{ shown: string; address: string; code: string }> {
  const shown = await started.seen(LINK, START_DEADLINE)
  const [, address = '', code = ''] = LINK.exec(shown)!
  return { shown, address, code }
}

test('README.md: from the clone to the first picture in the browser, then every command as it stands', async () => {
  const text = await readme('README.md')
  const began = performance.now()
  await using started = machine.start(text.start, environment())
  const installed = await started.seen(/added \d+ packages/, INSTALL_DEADLINE)
  expect(installed).not.toMatch(/EBADENGINE|npm error/)
  const installing = performance.now() - began
  const { shown, address, code } = await begun(started)
  expect(address).toBe(`http://localhost:${port}`)
  // Nothing meant for programs or developers.
  expect(shown).not.toMatch(/\{"|level|compressed|komprimiert|warn/i)

  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(LINK.exec(shown)![0])
  await page.getByLabel('Password', { exact: true }).fill('at least ten characters')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto(`${address}/dateien`)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Choose files' }).click()
  await (await chooser).setFiles(join(REPOSITORY, 'docs/screenshots/gallery-dark.png'))
  await page.getByRole('main').locator('img').first().waitFor({ timeout: START_DEADLINE })
  const seconds = (performance.now() - began - installing) / 1000
  await context.close()
  expect((await fetch(`${address}/f/gallery-dark.png`)).status).toBe(200)

  // The account was created in the browser; the README offers its curl line to those without one.
  const others = text.others.filter(each => !each.includes('/api/dash/einrichtung'))
  expect(others).toHaveLength(text.others.length - 1)
  const told = await follow({ ...text, others }, code)
  expect(told).toContain(`"url":"${address}/f/pictures/first.png"`)
  expect(told).toContain('"exists":true')

  const { shown: all, processorSeconds } = await started.end()
  console.log(
    `Clone to first picture: ${seconds.toFixed(1)} s beside the installation (${(installing / 1000).toFixed(1)} s); ` +
      `${processorSeconds.toFixed(1)} s of processor time with it.`,
  )
  expect(all).toContain('Stopped.')
  expect(processorSeconds / availableParallelism()).toBeLessThan(BAR_SECONDS)
})

test('README.de.md: the same, with curl alone', async () => {
  const text = await readme('README.de.md')
  expect(text.start).toBe('npm ci && npm start')
  // The npm installation is still there from the first README; without its data folder the service starts
  // afresh.
  await rm(join(machine.clone, 'data'), { recursive: true })
  await using started = machine.start('npm start', { ...environment(), LANG: 'de_DE.UTF-8' })
  const { shown, code } = await begun(started)
  expect(shown).toContain('Strg+C')
  const told = await follow(text, code)
  expect(told).toContain('"benutzer":"admin"')
  expect(told).toContain('"exists":true')
  expect((await started.end()).shown).toContain('Beendet.')
})

/** Like a developer who runs a part of the tests: those that need programs which a machine may lack. */
const SOME_TESTS = [
  'src/contract/values/bytes.test.ts',
  'test/conformance/storage.test.ts',
  'test/browser/compat.test.ts',
  'test/acceptance/broken-disk.test.ts',
].join(' ')

test('without root: npm ci installs, npm test runs what it can, names the rest, and ends with 0', async () => {
  const { run } = await machine.withoutRoot()
  const { code, stdout, stderr } = await run(`npm ci && npm test -- ${SOME_TESTS}`)
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout, stderr })
  const end = stdout.slice(stdout.indexOf('Not run, because this machine lacks something:'))
  expect(end).toMatch(/\d+ tests in a real browser: chromium is not installed/)
  expect(end).toMatch(/\d+ tests on an S3-compatible store: radosgw is not installed/)
  expect(end).toMatch(/broken-disk\.test\.ts: .*needs root/)
  expect(end).toContain('Everything else passed.')
})

test('as root npm test says what it installs, and where it is insisted on, an object store too', async () => {
  const { code, stdout, stderr } = await machine.run(`npm test -- ${SOME_TESTS}`, { FUNDUS_TEST_INSIST: '1' })
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout, stderr })
  const told = /Installing with apt-get, once: (.*)/.exec(stdout)?.[1]
  expect(told).toMatch(/\d{3} newly installed.*Need to get \d+ MB.*After this operation, \d+ MB/)
  console.log(`Debian 13: ${told}`)
  expect(stderr).not.toContain('Not run')
})

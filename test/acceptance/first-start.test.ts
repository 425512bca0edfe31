/**
 * What a person sees in a terminal when the service starts for the first time, starts again, or cannot start.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { resolve } from 'node:path'
import { openFolder } from '../support/folder.ts'
import { startAtTerminal } from '../support/terminal.ts'

setDefaultTimeout(180_000)

const startHere = (env: Record<string, string>) =>
  startAtTerminal([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
    cwd: resolve(import.meta.dir, '../..'),
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', ...env },
  })

const LINK = /(http:\/\/localhost:\d+)\/einrichtung#code=((?:[0-9A-Z]{4}-){2}[0-9A-Z]{4})/

test('the first start at a terminal shows address, set-up link with its code, data folder and how to stop, and no JSON', async () => {
  await using folder = await openFolder()
  await using started = startHere({ DATA_DIR: folder.path, LANG: 'de_DE.UTF-8' })
  const greeting = await started.seen('Strg+C')
  expect(greeting).toMatch(LINK)
  const [, address, code] = LINK.exec(greeting)!
  expect(greeting).toMatch(new RegExp(`Adresse +${address}\n`))
  expect(greeting).toContain(folder.path)

  // The service accepts the code of the link.
  const made = await fetch(`${address}/api/dash/einrichtung`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code, benutzer: 'admin', passwort: 'mindestens zehn Zeichen' }),
  })
  expect(made.status).toBe(200)

  const { code: exit, shown } = await started.end()
  expect({ exit, shown }).toEqual({ exit: 0, shown })
  expect(shown).toContain('Beendet.')
  for (const forDevelopers of ['{"', 'level', 'info', 'request', 'Skript', 'komprimiert'])
    expect(shown).not.toContain(forDevelopers)

  // Once there is an account, the start shows no code. The text is English if the system language is English.
  await using again = startHere({ DATA_DIR: folder.path, LANG: 'en_US.UTF-8' })
  const second = await again.seen('Ctrl+C')
  expect(second).toMatch(/Address +http:\/\/localhost:\d+\n/)
  expect(second).not.toContain('einrichtung')
  expect((await again.end()).shown).toContain('Stopped.')
})

test('warnings at a terminal are readable lines, and LOG_LEVEL=info shows the rest as such lines too', async () => {
  await using folder = await openFolder()
  const env = {
    DATA_DIR: folder.path,
    LANG: 'de_DE.UTF-8',
    FILES_HOST: 'dateien.example.org',
    LOG_LEVEL: 'info',
  }
  await using started = startHere(env)
  await started.seen('Strg+C')
  const { shown } = await started.end()
  expect(shown).toMatch(/^\d\d:\d\d:\d\d warn +.*FILES_HOST/m)
  expect(shown).toMatch(/^\d\d:\d\d:\d\d info +listening/m)
  expect(shown).not.toContain('{"')
})

test.each([
  ['de_DE.UTF-8', /^fundus: Der Port \d+ ist belegt.*PORT=\d+/m],
  ['en_US.UTF-8', /^fundus: Port \d+ is taken.*PORT=\d+/m],
])(
  'a taken port is one sentence with what to do, in the language of the system (%s)',
  async (LANG, sentence) => {
    await using folder = await openFolder()
    using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    await using started = startHere({ DATA_DIR: folder.path, LANG, PORT: String(other.port) })
    const { code, shown } = await started.ended()
    expect({ code, shown }).toEqual({ code: 2, shown: expect.stringMatching(sentence) })
  },
)

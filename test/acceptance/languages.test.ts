/**
 * The commands that a new user needs first speak the language of the system: German or, for any other,
 * English.
 */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { randomBytes } from '../support/bytes.ts'
import { writeFiles } from '../support/client.ts'
import { openFolder } from '../support/folder.ts'
import { commandHost } from '../support/host-client.ts'
import { embeddedOnly } from '../support/modes.ts'
import { startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()

const run = async (LC_ALL: string, ...args: string[]) =>
  (await commandHost()).command({ args, env: { ...on.service.env, LC_ALL }, input: '' })
const english = (...args: string[]) => run('en_US.UTF-8', ...args)
const german = (...args: string[]) => run('de_AT.UTF-8', ...args)

const GERMAN_WORDS = /[äöüß„]|\b(?:das|der|die|ein|eine|es|fehlt|gibt|mit|nicht|oder|und|wird)\b/

test('the overview and the help of every command, in both languages', async () => {
  const { stdout: overview } = await english('help')
  const names = [...overview.matchAll(/^ {2}fundus ([a-z]+(?: [a-z]+)?) {2}/gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThanOrEqual(18)
  const helps = await Promise.all(names.map(name => english('help', ...name.split(' '))))
  for (const text of [overview, ...helps.map(({ stdout }) => stdout)]) expect(text).not.toMatch(GERMAN_WORDS)
  const others = await Promise.all(names.map(name => german('help', ...name.split(' '))))
  // The twin: the German help has the same number of options and a different text.
  const options = (text: string) => [...text.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option)
  helps.forEach(({ stdout }, at) => {
    expect(others[at]!.stdout).not.toBe(stdout)
    expect(options(others[at]!.stdout)).toEqual(options(stdout))
  })
})

test('a system without a language of its own is spoken to in English', async () => {
  const { LC_ALL: _, LANG: __, ...env } = on.service.env
  const { stdout } = await (await commandHost()).command({ args: ['help'], env, input: '' })
  expect(stdout).toStartWith('Fundus – a media host of your own')
  expect((await run('C.UTF-8', 'help')).stdout).toBe(stdout)
})

test.each([
  [['nonsense'], 'There is no command “nonsense”.', 'Den Befehl „nonsense“ gibt es nicht.'],
  [['token'], '“token” needs a second word.', 'Zu „token“ fehlt noch ein Wort.'],
  [
    ['start', '--port', '1'],
    'There is no “--port” here; known are --no-build.',
    '„--port“ gibt es hier nicht',
  ],
  [['token', 'create', '--name', ''], '--name must be a name', '--name darf nicht leer sein.'],
  [['token', 'create', '--name', 'x', '--kinds', 'y'], '--kinds knows only bilder', '--kinds kennt nur'],
  [['token', 'delete', 'nobody', '--yes'], 'This token does not exist.', 'Dieses Token gibt es nicht.'],
  [
    ['push', '/nowhere', 'localhost'],
    'There is no folder “/nowhere”.',
    'Den Ordner „/nowhere“ gibt es nicht.',
  ],
  [
    ['settings', 'get', 'NOTHING'],
    'There is no setting “NOTHING”.',
    'Die Einstellung „NOTHING“ gibt es nicht.',
  ],
  [['user', 'delete', '--name', 'x'], 'This account does not exist.', 'Dieses Benutzerkonto gibt es nicht.'],
])('%j is refused in the language of the system', async (args, inEnglish, inGerman) => {
  const [one, other] = [await english(...args), await german(...args)]
  expect([one.code, one.stderr]).toEqual([2, expect.stringContaining(`fundus: ${inEnglish}`)])
  expect(one.stderr).not.toMatch(GERMAN_WORDS)
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining(`fundus: ${inGerman}`)])
})

embeddedOnly.defaults('from the first token to the first backup: results and what goes wrong', async () => {
  await using folder = await openFolder()
  await writeFiles(folder.path, {
    'good/a.txt': 'one',
    'names/a b.txt': 'two',
    'large/b.bin': randomBytes(1, 5000),
  })
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await english(...args)
    expect(stdout + stderr).not.toMatch(GERMAN_WORDS)
    return { code, text: stdout + stderr }
  }
  const made = await said('token', 'create', '--name', 'first', '--max-file', '4000')
  expect(made.text).toContain('Token “first” – it is shown this once only:\n')
  const token = made.text.trim().split('\n').at(-1)!
  expect((await said('token', 'list')).text).toMatch(
    /never used; 0 files, 0 bytes\n +may not delete, files up to 3\.91 KB/,
  )

  const push = (name: string, ...more: string[]) =>
    said('push', join(folder.path, name), `${on.service.url}/x`, '--token', token, ...more)
  expect((await push('good')).text).toMatch(
    /^sent +http.*\nSent: 1 file, 3 bytes; already there: 0; failed: 0\.\n$/,
  )
  expect(await push('names')).toEqual({
    code: 2,
    text: expect.stringMatching(
      /Nothing was sent\.\nThese names cannot be paths: 1\n {2}a b\.txt: each part begins/,
    ),
  })
  expect(await push('large')).toEqual({
    code: 1,
    text: expect.stringMatching(
      /b\.bin: The file is larger than this token allows\.\n.*One file has not arrived/s,
    ),
  })
  expect(await push('good', '--token', 'media_wrong')).toEqual({
    code: 1,
    text: expect.stringContaining('The service does not know this token. Please check --token'),
  })
  expect((await said('check')).text).toMatch(
    /^Checked: 1 files, 0 in the trash.*\n\nEverything is in order\.\n$/s,
  )
  const backup = await said('backup')
  expect(backup.text).toMatch(/\.tar: [\d.]+ KB, in one place\.\nWarning: The backup is on the same disk/)
  expect((await german('backup')).stdout).toMatch(/an einem Ort\.\nAchtung: Die Sicherung liegt/)
})

test.each([
  [['settings', 'set', 'MAX_UPLOAD_MB', 'x'], 'MAX_UPLOAD_MB must be a number of megabytes.'],
  [['settings', 'set', 'SICHERUNG_UHRZEIT', '99'], 'SICHERUNG_UHRZEIT must be a time such as 03:30.'],
])('the rule behind a refused setting is told in English too: %j', async (args, rule) => {
  expect(await english(...args)).toEqual({ code: 2, stdout: '', stderr: `fundus: ${rule}\n` })
})

test('settings list names the sources in English; programs get the words of the contract', async () => {
  const { stdout } = await english('settings', 'list')
  expect(stdout).toMatch(/^MAX_UPLOAD_MB +(?:default|environment) /m)
  expect(stdout).not.toMatch(/vorgabe|umgebung|gespeichert/)
  expect((await english('settings', 'list', '--json')).stdout).toContain('"vorgabe"')
})

test('errors of restore in English, with their exit codes', async () => {
  await using folder = await openFolder()
  const file = join(folder.path, 'no.tar')
  const restore = (name: string) => english('restore', name, '--into', join(folder.path, 'target'))
  expect(await restore(file)).toMatchObject({
    code: 2,
    stderr: `fundus: The archive ${file} cannot be opened: it does not exist.\n`,
  })
  await writeFiles(folder.path, { 'no.tar': 'x'.repeat(5000) })
  expect(await restore(file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('This is not an archive of Fundus'),
  })
  expect((await german('restore', file, '--into', join(folder.path, 'target'))).stderr).toContain(
    'kein Archiv',
  )
})

embeddedOnly.defaults('options have English names, and the German ones of before still work', async () => {
  for (const words of [
    ['check', '--quick'],
    ['check', '--schnell'],
  ])
    expect([words, (await english(...words)).code]).toEqual([words, 0])
  for (const option of ['--check-only', '--nur-pruefen'])
    expect((await english('restore', '/none', option)).stderr).toContain('The archive /none cannot be opened')
  for (const words of [
    ['backup', '--nur-liste'],
    ['restore', 'x', '--auslassen', '--vorher-entfernen'],
    ['rebuild', '--auslassen'],
  ])
    expect((await english(...words)).stderr).not.toContain('There is no “--')
  expect((await english('check', '--__proto__')).code).toBe(2)
  const helps = await Promise.all(
    ['backup', 'check', 'restore', 'rebuild'].map(name => english('help', name)),
  )
  for (const { stdout } of helps) expect(stdout).not.toMatch(/--(?:schnell|nur-|auslassen|vorher)/)
})

test('outside of a terminal the log has the set-up link in English too', async () => {
  await using service = await startService({ mode: 'embedded' })
  const lines = service.logs().map(({ message }) => String(message))
  const code = lines.find(line => line.startsWith('Einrichtungscode: '))?.split(' ')[1]
  expect(lines).toContainEqual(expect.stringMatching(/^Set-up link, .*: http.*\/einrichtung#code=/))
  expect(lines.find(line => line.startsWith('Set-up link'))).toEndWith(`#code=${code}`)
})

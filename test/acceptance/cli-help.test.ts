import { describe, expect, test } from 'bun:test'
import { commandHost } from '../support/host-client.ts'
import { embeddedOnly } from '../support/modes.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()
const run = (...words: string[]) => on.service.command(...words)

describe('help', () => {
  test('lists every command with a word about it, in groups, and the exit codes', async () => {
    const { code, stdout } = await run('help')
    expect(code).toBe(0)
    // Also as a process, without any argument.
    expect(await on.service.commandProcess()).toEqual({ code, stdout, stderr: '' })
    const commands = stdout.split('\n').filter(line => line.startsWith('  fundus '))
    expect(commands.length).toBeGreaterThanOrEqual(12)
    for (const line of commands) expect(line).toMatch(/^ {2}fundus [a-z]+(?: [a-z-]+){0,2} +[a-zäöü].{10,}$/)
    for (const word of ['\nDienst\n', '\nTokens\n', '\nEinstellungen\n', 'Rückgabewert: 0'])
      expect(stdout).toContain(word)
    for (const words of [[], ['--help'], ['-h']]) expect((await run(...words)).stdout).toBe(stdout)
  })

  test('of each listed command shows how it is written', async () => {
    const { stdout } = await run('help')
    const names = [...stdout.matchAll(/^ {2}fundus ([a-z]+(?: [a-z-]+){0,2}) {2}/gm)].map(([, name]) => name!)
    const helps = await Promise.all(names.map(name => run('help', ...name.split(' '))))
    helps.forEach(({ code, stdout: text }, at) => {
      expect([code, text]).toEqual([0, expect.stringMatching(new RegExp(`^fundus ${names[at]}`))])
    })
  })

  test('of a first word lists what begins with it', async () => {
    const { code, stdout } = await run('help', 'token')
    expect(code).toBe(0)
    expect([...stdout.matchAll(/fundus (\S+)/g)].map(([, word]) => word)).toEqual(['token', 'token', 'token'])
  })

  test('asked for behind a command shows its help and does nothing', async () => {
    const { code, stdout } = await run('token', 'create', '--name', 'x', '--help')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^fundus token create/)])
  })
})

describe('what is typed wrongly ends with 2 and a sentence on standard error', () => {
  test.each([
    ['an unknown command', ['nonsense'], 'Den Befehl „nonsense“ gibt es nicht'],
    ['half a command', ['token'], 'Zu „token“ fehlt noch ein Wort'],
    ['help on one', ['help', 'nonsense'], 'Den Befehl „nonsense“ gibt es nicht'],
    ['half a command names the whole ones', ['token'], 'fundus token list'],
    [
      'an option that start does not have',
      ['start', '--port', '1'],
      '„--port“ gibt es hier nicht; bekannt sind --no-build',
    ],
    ['an option of list', ['token', 'list', '--all'], 'bekannt sind --json'],
    ['a word too much', ['settings', 'set', 'DIENST', 'Mein', 'Dienst'], 'Anführungszeichen'],
    ['an option of get', ['settings', 'get', 'DIENST', '--x'], 'kennt keine Optionen'],
    ['a token that is not named', ['token', 'delete', '--yes'], 'Es fehlt die Kennung'],
    ['a token that is not there', ['token', 'delete', 'nobody', '--yes'], 'Dieses Token gibt es nicht'],
  ])('%s', async (_, words, sentence) => {
    const { code, stdout, stderr } = await run(...words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toStartWith('fundus: ')
    expect(stderr).toContain(sentence)
  })

  test.each([
    ['nobody wrote', ['nonsense']],
    ['refuses its option', ['start', '--port', '1']],
    ['fails on the data folder', ['token', 'delete', 'nobody', '--yes']],
  ])('as a process too: a command that %s', async (_, words) => {
    expect(await on.service.commandProcess(...words)).toEqual(await run(...words))
  })
})

embeddedOnly.defaults(
  'the public address is not guessed: it follows a port that only the service knows',
  async () => {
    // PORT is 0 for the service and for the command, and set explicitly in this test.
    expect((await run('settings', 'get', 'PUBLIC_URL')).code).toBe(0)
    const { PORT: _, ...env } = on.service.env
    const bare = async (...args: string[]) => (await commandHost()).command({ args, env, input: '' })
    expect((await bare('settings', 'list')).stdout).toMatch(
      /^PUBLIC_URL +vorgabe +http:\/\/localhost:<PORT des Dienstes>$/m,
    )
    const listed = JSON.parse((await bare('settings', 'list', '--json')).stdout) as {
      name: string
      value: unknown
    }[]
    expect(listed.find(({ name }) => name === 'PUBLIC_URL')?.value).toBeNull()
    const got = await bare('settings', 'get', 'PUBLIC_URL')
    expect([got.code, got.stderr]).toEqual([2, expect.stringContaining('PORT')])
    await run('settings', 'set', 'PUBLIC_URL', 'https://media.example.org')
    expect((await bare('settings', 'get', 'PUBLIC_URL')).stdout).toBe('https://media.example.org\n')
  },
)

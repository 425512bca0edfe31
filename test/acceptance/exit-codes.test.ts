/** Exit codes of every command, as docs/operations/reference.md and `fundus help` list them. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { writeFiles } from '../support/client.ts'
import type { CommandResult } from '../support/command.ts'
import { useFolder } from '../support/folder.ts'
import { commandHost, type Environment } from '../support/host-client.ts'
import { isShared } from '../support/modes.ts'
import { sharedService } from '../support/shared-service.ts'

setDefaultTimeout(180_000)

const [SUCCEEDED, FAILED, REFUSED] = [0, 1, 2]
/** Nothing listens on this port. */
const NOWHERE = 'http://127.0.0.1:1'
/** The other mode; its servers are not needed for calls that are refused before. */
const MANY_MACHINES = `
DATABASE_URL=postgres://127.0.0.1:1/x
S3_ENDPOINT=${NOWHERE}
S3_BUCKET=b
S3_REGION=r
S3_ACCESS_KEY_ID=a
S3_SECRET_ACCESS_KEY=s
`
const PASSWORD = 'a good password\n'

const on = sharedService()
const home = await useFolder()
const at = (name: string) => join(home, name)
const ELSEWHERE = { DATA_DIR: at('elsewhere') }

/** Values that the table needs and only a running service can make. */
const made = { archive: '', token: '' }

async function run(words: readonly string[], env: Environment = {}): Promise<CommandResult> {
  const environment = {
    ...on.service.env,
    FUNDUS_TOKEN: on.token,
    XDG_CACHE_HOME: home,
    LC_ALL: 'C.UTF-8',
    ...env,
  }
  return (await commandHost()).command({ args: [...words], env: environment, input: PASSWORD })
}

interface Row {
  /** A call that succeeds; null if it needs more than this table and has a test of its own. */
  right: (() => string[]) | null
  /** Calls that lack a required argument. */
  incomplete?: string[][]
  /** Complete calls that are refused or fail. */
  others?: readonly (readonly [why: string, words: () => string[], code: number, env?: Environment])[]
}

const account = (name: string) => ['--name', name, '--password-stdin']
const journal = (name: string) => ['--journal', at(name)]
const target = (folder: string) => `${on.service.url}/${folder}`
const unknownSetting = ['a setting that is not there', () => ['X'], REFUSED] as const

const ROWS: Readonly<Record<string, Row>> = {
  'user create': {
    right: () => account('anna'),
    incomplete: [['--password-stdin']],
    others: [['a name that is taken', () => account('anna'), REFUSED]],
  },
  'user list': { right: () => ['--json'] },
  'user password': {
    right: () => account('anna'),
    incomplete: [['--password-stdin']],
    others: [['an account that is not there', () => account('nobody'), REFUSED]],
  },
  'user role': {
    right: () => ['--name', 'anna', '--role', 'redaktion', '--folder', 'items'],
    incomplete: [[], ['--name', 'anna'], ['--role', 'ansicht']],
    others: [
      ['an account that is not there', () => ['--name', 'nobody', '--role', 'ansicht'], REFUSED],
      ['an unknown role', () => ['--name', 'anna', '--role', 'chef'], REFUSED],
      ['a limited operator', () => ['--name', 'anna', '--role', 'betreiber', '--folder', 'a'], REFUSED],
      ['the last operator', () => ['--name', 'berta', '--role', 'ansicht'], REFUSED],
    ],
  },
  'user sessions end': {
    right: () => ['--name', 'anna'],
    incomplete: [[]],
    others: [['an account that is not there', () => ['--name', 'nobody'], REFUSED]],
  },
  'user reset-factor': {
    right: () => ['--name', 'anna'],
    incomplete: [[]],
    others: [['an account that is not there', () => ['--name', 'nobody'], REFUSED]],
  },
  'user invite': {
    right: () => ['--role', 'ansicht', '--folder', 'items', '--json'],
    incomplete: [[]],
    others: [
      ['an impossible number of days', () => ['--role', 'ansicht', '--days', '91'], REFUSED],
      ['a limited operator', () => ['--role', 'betreiber', '--folder', 'items'], REFUSED],
    ],
  },
  'user delete': {
    right: () => ['--name', 'anna'],
    incomplete: [[]],
    others: [
      ['an account that is not there', () => ['--name', 'nobody'], REFUSED],
      ['the last account', () => ['--name', 'berta'], REFUSED],
    ],
  },
  'token create': {
    right: () => ['--name', 'x'],
    incomplete: [[], ['--name']],
    others: [['an impossible quota', () => ['--name', 'x', '--quota', 'much'], REFUSED]],
  },
  'token list': { right: () => [] },
  'token delete': {
    right: () => [made.token, '--yes'],
    incomplete: [['--yes'], ['0000000000000000']],
    others: [['a token that is not there', () => ['0000000000000000', '--yes'], REFUSED]],
  },
  push: {
    right: () => [at('folder'), target('push')],
    incomplete: [[], [at('folder')]],
    others: [
      ['a folder that is not there', () => [at('none'), target('x')], REFUSED],
      ['a name that cannot be a path', () => [at('names'), target('x')], REFUSED],
      ['no token', () => [at('folder'), target('x')], REFUSED, { FUNDUS_TOKEN: '' }],
      ['a token that is not valid', () => [at('folder'), target('x')], FAILED, { FUNDUS_TOKEN: 'wrong' }],
      ['a service that is not there', () => [at('folder'), NOWHERE], FAILED],
    ],
  },
  import: {
    right: () => [at('folder'), target('import'), ...journal('right')],
    incomplete: [[], [at('folder')]],
    others: [
      ['a source that is not there', () => [at('none'), target('x'), ...journal('a')], REFUSED],
      ['a source that is no list', () => [at('folder/a.txt'), target('x'), ...journal('b')], REFUSED],
      ['a list that cannot be reached', () => [`${NOWHERE}/list`, target('x'), ...journal('c')], FAILED],
      ['a file that cannot be reached', () => [at('list'), target('x'), ...journal('d')], FAILED],
      ['a service that is not there', () => [at('folder'), NOWHERE, ...journal('e')], FAILED],
    ],
  },
  'settings list': { right: () => [] },
  'settings get': { right: () => ['DIENST'], incomplete: [[]], others: [unknownSetting] },
  'settings set': {
    right: () => ['DIENST', 'Bilder'],
    incomplete: [[], ['DIENST']],
    others: [['a value that is none', () => ['SICHERUNG_BEHALTEN', 'some'], REFUSED]],
  },
  'settings unset': { right: () => ['DIENST'], incomplete: [[]], others: [unknownSetting] },
  backup: {
    right: () => [],
    others: [
      ['a target that cannot be used', () => [], FAILED, { SICHERUNG_ZIEL: at('folder/a.txt') }],
      ['a rehearsal', () => ['--rehearse'], SUCCEEDED, { SICHERUNG_ZIEL: at('archives') }],
      ['a rehearsal without an archive', () => ['--rehearse'], FAILED, { SICHERUNG_ZIEL: at('names') }],
      ['a rehearsal and a list', () => ['--rehearse', '--list-only'], REFUSED],
      // With an object store this call is valid.
      ...(isShared() ? [] : [['the list alone, without a store', () => ['--list-only'], REFUSED] as const]),
    ],
  },
  restore: {
    right: () => [made.archive, '--into', at('restored')],
    incomplete: [[]],
    others: [
      ['an instance that is there already', () => [made.archive, '--into', at('restored')], REFUSED],
      ['a running service', () => [made.archive, '--force'], REFUSED],
      ['an archive that is not there', () => [at('none.tar'), '--into', at('never')], REFUSED],
      ['a folder in place of an archive', () => [at('folder'), '--check-only'], REFUSED],
      ['a damaged archive', () => [at('folder/a.txt'), '--check-only'], FAILED],
    ],
  },
  // Tested in migrate.test.ts, which moves an instance to PostgreSQL and back.
  migrate: {
    right: null,
    incomplete: [[], ['--to']],
    others: [
      ['a file that is not there', () => ['--to', at('none.env')], REFUSED],
      ['a target that lacks a variable', () => ['--to', at('half.env')], REFUSED],
      ['an instance that is not there', () => ['--to', at('whole.env')], REFUSED, ELSEWHERE],
    ],
  },
  // Tested in doctor.test.ts, on a machine without faults.
  doctor: {
    right: null,
    others: [['a data folder that is a file', () => [], FAILED, { DATA_DIR: at('folder/a.txt') }]],
  },
  check: { right: () => [] },
  accept: { right: () => [] },
  // Tested in rebuild.test.ts, which makes a new database.
  rebuild: {
    right: null,
    others: [
      ['a running service', () => [], REFUSED],
      ['a folder without files', () => [], REFUSED, ELSEWHERE],
    ],
  },
  sweep: { right: () => [], others: [['an age that is no number', () => ['--older-than', 'x'], REFUSED]] },
  // Tested in shutdown.test.ts, which stops a service.
  start: { right: null, others: [['a port that is none', () => ['--no-build'], REFUSED, { PORT: 'x' }]] },
}

beforeAll(async () => {
  await writeFiles(home, {
    'folder/a.txt': 'a',
    'names/Über uns.txt': 'a',
    list: `${NOWHERE}/a.txt\n`,
    'half.env': 'DATABASE_URL=postgres://127.0.0.1:1/x\n',
    'whole.env': isShared() ? `DATA_DIR=${at('goal')}\n` : MANY_MACHINES,
  })
  await run(['user', 'create', ...account('berta')])
  const archives = at('archives')
  const { stdout } = await run(['backup', '--json'], { SICHERUNG_ZIEL: archives })
  made.archive = join(archives, (JSON.parse(stdout) as { archiv: string }).archiv)
  const token = await run(['token', 'create', '--name', 'y', '--json'])
  made.token = (JSON.parse(token.stdout) as { id: string }).id
})

describe.each(Object.entries(ROWS))('%s', (name, { right, incomplete = [], others = [] }) => {
  const ends = (what: string, words: () => string[], expected: number, env?: Environment) =>
    test(what, async () => {
      const { code, stdout, stderr } = await run([...name.split(' '), ...words()], env)
      expect({ code, stdout, stderr }).toEqual({ code: expected, stdout, stderr })
      // Findings are the result, so they are on standard output; all other errors are on standard error.
      if (expected === REFUSED)
        expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringMatching(/^fundus: /) })
      else if (expected === FAILED) expect(stdout + stderr).not.toBe('')
    })

  if (right) ends('a right call', right, SUCCEEDED)
  ends('a call for help', () => ['--help'], SUCCEEDED)
  ends('an option that it does not have', () => [...(right?.() ?? []), '--no-such-option'], REFUSED)
  for (const words of incomplete) ends(`incomplete: ${words.join(' ')}`, () => words, REFUSED)
  for (const row of others) ends(...row)
})

describe('what is written about them', () => {
  test('the table above has every command', async () => {
    const { stdout } = await run(['help'])
    const names = [...stdout.matchAll(/^ {2}fundus ([a-z]+(?: [a-z-]+){0,2}) {2}/gm)].map(([, name]) => name!)
    expect(names.sort()).toEqual(Object.keys(ROWS).sort())
  })

  test.each(['C.UTF-8', 'de_DE.UTF-8'])('help that names exit codes names all three: %s', async LC_ALL => {
    const topics = [[], ...Object.keys(ROWS).map(name => name.split(' '))]
    const texts = await Promise.all(
      topics.map(async words => (await run(['help', ...words], { LC_ALL })).stdout),
    )
    const lines = texts.flatMap(text => text.match(/(?:Exit code|Rückgabewert).*/g) ?? [])
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines) expect(line).toMatch(/: 0 [^,]+, 1 [^,]+, 2 /)
  })

  test.each([
    ['reference.md', 'Exit code', ['0', '1', '2']],
    ['reference.de.md', 'Rückgabewert', ['0', '1', '2']],
    ['install.md', 'Exit code', ['0', '1', '2', '74', '130, 143']],
    ['install.de.md', 'Rückgabewert', ['0', '1', '2', '74', '130, 143']],
  ])('docs/operations/%s', async (name, heading, codes) => {
    const text = await Bun.file(join(import.meta.dir, '../../docs/operations', name)).text()
    const [, rows = ''] = new RegExp(`^\\| ${heading} \\|.*\\n.*\\n((?:\\|.*\\n)+)`, 'm').exec(text) ?? []
    expect([...rows.matchAll(/^\| ([^|]+) \|/gm)].map(([, code]) => code!)).toEqual(codes)
  })
})

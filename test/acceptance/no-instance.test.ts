/**
 * Only `start`, `restore`, `rebuild` and `migrate` create an instance: with a wrong DATA_DIR the other
 * commands fail instead of reporting an empty instance in good order.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../support/folder.ts'
import { commandHost } from '../support/host-client.ts'
import { embeddedOnly } from '../support/modes.ts'
import { sharedService } from '../support/shared-service.ts'

setDefaultTimeout(180_000)

const on = sharedService()
const home = await useFolder()

const MAKE_ONE = ['start', 'restore', 'rebuild', 'migrate']
/** These commands need no instance; `doctor` has tests of its own. */
const NEED_NONE = ['push', 'import', 'doctor']
const REFUSED: Record<string, string[]> = {
  'user create': ['--name', 'anna', '--password-stdin'],
  'user list': [],
  'user password': ['--name', 'anna', '--password-stdin'],
  'user role': ['--name', 'anna', '--role', 'ansicht'],
  'user sessions end': ['--name', 'anna'],
  'user reset-factor': ['--name', 'anna'],
  'user invite': ['--role', 'ansicht'],
  'user delete': ['--name', 'anna'],
  'token create': ['--name', 'x'],
  'token list': [],
  'token delete': ['0000000000000000', '--yes'],
  'settings list': [],
  'settings get': ['DIENST'],
  'settings set': ['DIENST', 'x'],
  'settings unset': ['DIENST'],
  backup: [],
  accept: [],
  check: [],
  sweep: [],
}

const run = async (name: string, env: Record<string, string>) =>
  (await commandHost()).command({
    args: [...name.split(' '), ...REFUSED[name]!],
    env: { LC_ALL: 'C.UTF-8', ...env },
    input: 'a good password\n',
  })

test('every command is in one of the three lists', async () => {
  const { stdout } = await on.service.command('help')
  const names = [...stdout.matchAll(/^ {2}fundus ([a-z]+(?: [a-z-]+){0,2}) {2}/gm)].map(([, name]) => name!)
  expect(names.sort()).toEqual([...MAKE_ONE, ...NEED_NONE, ...Object.keys(REFUSED)].sort())
})

test.each(Object.keys(REFUSED))(
  '%s refuses a mistyped DATA_DIR by name, and makes nothing there',
  async name => {
    const DATA_DIR = join(home, 'fundsu')
    const { code, stdout, stderr } = await run(name, { DATA_DIR })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toStartWith(`fundus: There is no instance in ${DATA_DIR} `)
    expect(stderr).toContain('Please set DATA_DIR')
    expect(existsSync(DATA_DIR)).toBe(false)
    const empty = join(home, 'empty')
    await mkdir(empty, { recursive: true })
    expect((await run(name, { DATA_DIR: empty })).code).toBe(2)
    expect(await readdir(empty)).toEqual([])
  },
)

embeddedOnly.folder(
  'the command of deploy/ knows the data folder and the settings of the service',
  async () => {
    const settings = join(home, 'fundus.env')
    await Bun.write(
      settings,
      `# a comment\nDATA_DIR="${join(home, 'of-the-file')}"\nDIENST='Unser Fundus'\nLOG_LEVEL=warn`,
    )
    const link = join(home, 'fundus')
    Bun.spawnSync(['ln', '-s', join(import.meta.dir, '../../deploy/fundus'), link])
    const call = (env: Record<string, string>, ...words: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([link, ...words], {
        env: { PATH: process.env.PATH!, LC_ALL: 'C.UTF-8', ...env },
        cwd: '/',
      })
      return { code: exitCode, text: `${stdout}${stderr}` }
    }
    const missing = (folder: string) => ({
      code: 2,
      text: expect.stringContaining(`no instance in ${folder} `),
    })
    expect(call({ FUNDUS_ENV_FILE: settings }, 'check')).toEqual(missing(join(home, 'of-the-file')))
    expect(call({ FUNDUS_ENV_FILE: settings, DATA_DIR: '/nowhere' }, 'check')).toEqual(missing('/nowhere'))
    expect(call({ FUNDUS_ENV_FILE: '/none' }, 'check')).toEqual(missing('/var/lib/fundus'))
    const { DATA_DIR = '' } = on.service.env
    expect(call({ FUNDUS_ENV_FILE: settings, DATA_DIR }, 'settings', 'get', 'DIENST')).toEqual({
      code: 0,
      text: 'Unser Fundus\n',
    })
  },
)

/** The systemd unit of deploy/, checked with systemd's own tools; systemd need not be running. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openFolder } from '../support/folder.ts'
import { needsTool } from '../support/tools.ts'

needsTool('systemd', () => Bun.which('systemd-analyze'))

/** `systemd-analyze security` rates exposure from 0 (safe) to 10; below 4 it says OK. */
const MOST_EXPOSED = 2

const analyze = (...args: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['systemd-analyze', ...args])
  return { exitCode, text: `${stdout}${stderr}` }
}

test('the unit has no unknown or wrong line, and is closed to what the service does not need', async () => {
  await using folder = await openFolder()
  const unit = join(folder.path, 'fundus.service')
  const text = await Bun.file(join(import.meta.dir, '../../deploy/fundus.service')).text()
  // systemd checks that the program exists; here the runtime is elsewhere.
  await Bun.write(unit, text.replace('/opt/fundus/node_modules/.bin/bun', process.execPath))
  expect(analyze('verify', unit)).toEqual({ exitCode: 0, text: '' })
  const exposure = /Overall exposure level[^:]*: ([\d.]+)/.exec(
    analyze('security', '--offline=true', unit).text,
  )
  expect(Number(exposure?.[1])).toBeLessThanOrEqual(MOST_EXPOSED)
})

test('a line that systemd does not know is found', async () => {
  await using folder = await openFolder()
  const unit = join(folder.path, 'fundus.service')
  await Bun.write(unit, `[Service]\nExecStart=${process.execPath}\nProtectEverything=yes\n`)
  expect(analyze('verify', unit).text).toContain('ProtectEverything')
})

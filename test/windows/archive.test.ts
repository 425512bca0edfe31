/** The archive for Windows of `npm run release`: its parts, and the first minutes of a new user. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bytesOf, expectSameBytes, read, store } from '../support/api.ts'
import { ADMIN, dash, sessionOf, setupCode } from '../support/dashboard.ts'
import { inherited } from '../support/host-client.ts'
import { png } from '../support/pictures.ts'
import { componentList, componentsOf, packagesOf } from '../support/release.ts'
import { startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { pathOnZ, windowsOrFail } from '../support/windows.ts'
import { WINE } from '../support/wine.ts'

setDefaultTimeout(180_000)
const CPU = process.arch
const { program } = windowsOrFail()

test('is a ZIP with the command, the runtime and sharp of Windows', async () => {
  const components = await componentsOf(dirname(program), `windows-${CPU}`)
  const runtime = `@oven/bun-windows-${CPU === 'arm64' ? 'aarch64' : CPU}`
  expect(components.map(({ name }) => name)).toEqual(
    expect.arrayContaining([runtime, `@img/sharp-win32-${CPU}`]),
  )
  expect(componentList(components)).toEqual(await packagesOf(program))
  expect(await Bun.file(join(program, 'fundus.cmd')).text()).toContain(
    '"%~dp0runtime\\bun.exe" "%~dp0src\\cli.ts" %*\r\n',
  )
  expect(await Bun.file(join(program, 'fundus')).exists()).toBe(false)
})

test('fundus.cmd knows the data folder that fundus.env beside it names; what the terminal has goes before', async () => {
  const settings = join(program, 'fundus.env')
  // Into a file: services that are started under Wine meanwhile would keep a pipe open.
  const errors = Bun.file(join(program, 'errors.txt'))
  const run = async (env: Record<string, string>) => {
    const child = Bun.spawn([WINE, 'cmd', '/c', `${pathOnZ(program)}\\fundus.cmd`, 'check'], {
      cwd: '/',
      env: { ...inherited(), ...windowsOrFail().env, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', 'ignore', errors],
    })
    await child.exited
    return errors.text()
  }
  try {
    await Bun.write(settings, '# of the service\r\nDATA_DIR=C:\\of the file\\data\r\n')
    expect(await run({})).toContain('There is no instance in C:\\of the file\\data ')
    expect(await run({ DATA_DIR: 'C:\\of the terminal' })).toContain(
      'There is no instance in C:\\of the terminal ',
    )
  } finally {
    await rm(settings)
    await errors.delete()
  }
})

test('started: set up, a picture uploaded, its preview and WebP fetched, stopped', async () => {
  await using service = await startService({ dataDir: 'C:\\fundus', ownProcess: true })
  const code = setupCode(service)
  const session = sessionOf(await dash(service, 'einrichtung', { json: { code, ...ADMIN } }))
  const made = await dash(service, 'tokens', { json: { name: 'Spielserver' }, session })
  const { token } = (await made.json()) as { token: string }
  const picture = await png({ width: 300, height: 200 })
  await store(service, token, 'bilder/erstes.png', picture)
  expectSameBytes(await bytesOf(await read(service, 'bilder/erstes.png')), picture)
  await eventually('a preview', async () => (await fetch(`${service.url}/t/bilder/erstes.png.webp`)).ok)
  await eventually('a WebP variant', async () => {
    const webp = await read(service, 'bilder/erstes.png', { Accept: 'image/webp' })
    return webp.headers.get('content-type') === 'image/webp'
  })
  expect(await (await fetch(service.url)).text()).toContain('<script')
  const objects = await readdir(join(windowsOrFail().driveC, 'fundus/files/bilder'))
  expect(objects.some(name => /^erstes~\w+\.png$/.test(name))).toBe(true)
  expect(await service.stop()).toBe(0)
})

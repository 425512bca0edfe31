/**
 * deploy/Containerfile without a container: the image's folder is assembled from the lines of the file, and
 * its command is started there. Only a real build can show whether the base images have everything.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { deployed, ROOT, readCompose, readContainerfile, startDeployed } from '../support/compose.ts'
import { openFolder } from '../support/folder.ts'
import { inherited } from '../support/host-client.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(120_000)

/** Copies what the image contains; packages are linked, except those that the file removes. */
function assemble(image: string): void {
  const { contents, removed } = readContainerfile()
  for (const name of contents.filter(name => name !== 'node_modules'))
    cpSync(join(ROOT, name), join(image, name), {
      recursive: true,
      filter: from => !removed.some(each => from === join(ROOT, each)),
    })
  const packages = (below: string) => readdirSync(join(ROOT, below)).map(name => `${below}/${name}`)
  for (const name of packages('node_modules').flatMap(each =>
    each.includes('/@') ? packages(each) : [each],
  )) {
    if (removed.some(each => `${name}/`.startsWith(`${each}/`))) continue
    mkdirSync(join(image, name, '..'), { recursive: true })
    symlinkSync(join(ROOT, name), join(image, name))
  }
}

test('every source is there, and is let through to the build', () => {
  const { sources } = readContainerfile()
  const through = deployed('Containerfile.dockerignore').split('\n')
  expect(sources.filter(source => !existsSync(join(ROOT, source)))).toEqual([])
  expect(sources.filter(source => !through.includes(`!${source}`))).toEqual([])
})

test('the sources that are copied are enough for the build', async () => {
  await using folder = await openFolder()
  for (const source of readContainerfile().sources)
    cpSync(join(ROOT, source), join(folder.path, source), {
      recursive: true,
      filter: from => !from.startsWith(join(ROOT, 'dashboard/dist')),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
  const build = Bun.spawnSync(['npm', 'run', 'build'], { cwd: folder.path, timeout: 100_000 })
  expect([build.exitCode, build.exitCode === 0 ? '' : build.stderr.toString()]).toEqual([0, ''])
  expect(readdirSync(join(folder.path, 'dashboard/dist')).length).toBeGreaterThan(0)
  expect(readdirSync(join(folder.path, 'dist')).length).toBeGreaterThan(0)
})

test('the image is tagged with the version of the program, wherever it is named', async () => {
  const { version } = await Bun.file(join(ROOT, 'package.json')).json()
  const named = ['Containerfile', 'compose.yaml', 'compose.one.yaml'].flatMap(file => [
    ...deployed(file).matchAll(/fundus:([\d.]+)/g),
  ])
  expect(named.map(([, tag]) => tag)).toEqual([version, version, version])
})

test('its command starts with what the image holds, and fundus works beside it; its health check tells a service that answers from none', async () => {
  const { command, healthcheck, env, removed } = readContainerfile()
  expect(removed.length).toBeGreaterThan(3)
  await using folder = await openFolder()
  const image = join(folder.path, 'image')
  assemble(image)
  const here = { ...inherited(), ...env, DATA_DIR: join(folder.path, 'data'), PORT: String(freePort()) }
  const check = () => Bun.spawnSync(healthcheck, { cwd: image, env: here, stderr: 'ignore' }).exitCode
  expect(check()).toBe(1)
  await using service = startDeployed(command, { cwd: image, env: here })
  await eventually('the health check passes', () => {
    service.check()
    return check() === 0
  })
  // As `docker compose exec fundus fundus …` calls it: by the link in the path, in the environment of the
  // container.
  const { exitCode, stdout } = Bun.spawnSync([join(image, 'deploy/fundus'), 'settings', 'get', 'DIENST'], {
    cwd: '/',
    env: here,
  })
  expect([exitCode, stdout.toString()]).toEqual([0, 'Fundus\n'])
  expect(deployed('Containerfile')).toContain('ln -s /fundus/deploy/fundus /usr/local/bin/fundus ')
  const page = await fetch(`http://127.0.0.1:${here.PORT}/`)
  expect([page.status, page.headers.get('Content-Type')]).toEqual([200, expect.stringContaining('text/html')])
})

test('the compose files build from it, one of them with a volume for all that is written', () => {
  const { fundus } = readCompose('compose.one.yaml').services
  expect(fundus?.build).toEqual({ context: '..', dockerfile: 'deploy/Containerfile' })
  const { env } = readContainerfile()
  const written = [env.DATA_DIR, fundus?.environment?.SICHERUNG_ZIEL]
  expect(fundus?.volumes?.map(volume => volume.split(':')[1])).toEqual(written as string[])
})

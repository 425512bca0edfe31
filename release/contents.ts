/**
 * The files of an archive: what the service needs to run, and nothing that only builds or tests it. The
 * sources are shipped as they are, because commands, decoders and threads are loaded as files of their own.
 */
import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Glob } from 'bun'
import manifest from '../package.json'
import { type Entry, textEntry } from './archives.ts'
import { filesOf, type Package, type Platform, REPOSITORY } from './packages.ts'

/** The parts of package.json that the service itself reads. */
const { name, version, description, license, type, engines, dependencies } = manifest

const DOCUMENTS = [
  'LICENSE',
  '{CHANGELOG,CONTRIBUTING,SECURITY}.md',
  'bench/RESULTS.md',
  'docs/**/*.md',
  'docs/screenshots/gallery-*.png',
]
/**
 * The archive has a README of its own: what is done with npm in a clone is done with the command `fundus`
 * there.
 */
const READMES = ['README.md', 'README.de.md']
/** Beside the unit and the command of systemd, which differ. */
const EXAMPLES = [
  'deploy/{Caddyfile,*.conf,*.cfg,*.yaml,*.json,*.toml,*.example}',
  'clients/**/*.{lua,py,ts,md}',
]

/** Files of packages that no program loads: sources and types of what is there compiled, tests. */
const UNUSED = /\.(?:map|[cm]?ts)$|\/(?:test|bench)\//

const SHELL_COMMAND = `#!/bin/sh
# Runs Fundus with the runtime beside this file; a link to this file may lie anywhere.
self=$0
if [ -L "$self" ]; then self=$(readlink -f "$self"); fi
case $self in */*) here=\${self%/*} ;; *) here=. ;; esac
exec "$here/runtime/bun" "$here/src/cli.ts" "$@"
`
const WINDOWS_COMMAND = [
  '@echo off',
  'rem Runs Fundus with the runtime beside this file, which is to report its crashes to nobody. The file fundus.env beside it has',
  'rem the settings of the service, NAME=value in each line; what is set in the terminal takes precedence.',
  'setlocal',
  'set DO_NOT_TRACK=1',
  // Beside the program and not in ProgramData, where every user can create a file that an administrator would
  // then load.
  'if exist "%~dp0fundus.env" for /f "usebackq eol=# tokens=1* delims==" %%a in ("%~dp0fundus.env") do if not defined %%a set "%%a=%%b"',
  '"%~dp0runtime\\bun.exe" "%~dp0src\\cli.ts" %*',
  '',
].join('\r\n')

/**
 * The lines of the systemd unit that name npm's way of running, and those that stand for them in an archive.
 */
const UNIT_LINES: readonly (readonly [string, string])[] = [
  [
    'ExecStart=/opt/fundus/node_modules/.bin/bun src/cli.ts start --no-build\n',
    'ExecStart=/opt/fundus/fundus start\n',
  ],
  [
    '#   npm ci && npm run build     in /opt/fundus, also after an update: the service may not write there\n',
    '',
  ],
]

/** The source files that are shipped, by their path from the repository. */
export const sourceFiles = () =>
  filesBelow('src/**/*').filter(file => !/\.test\.ts$|\/testing[./]/.test(file))

/** What the pages of the dashboard are built from. */
export const dashboardFiles = () =>
  filesBelow('dashboard/src/**/*').filter(file => !/\.test\.tsx?$/.test(file))

/** The packages that these files import, types aside. */
export async function importedPackages(files: readonly string[]): Promise<string[]> {
  const names = new Set<string>()
  for (const file of files.filter(each => /\.tsx?$/.test(each))) {
    const transpiler = new Bun.Transpiler({ loader: file.endsWith('x') ? 'tsx' : 'ts' })
    // The scanner does not know the first line of a program.
    const source = (await Bun.file(join(REPOSITORY, file)).text()).replace(/^#!.*/, '')
    for (const { path } of transpiler.scanImports(source))
      if (/^[@a-z]/.test(path) && !/^(?:bun|node)(?::|$)/.test(path))
        names.add(path.split('/', path.startsWith('@') ? 2 : 1).join('/'))
  }
  return [...names].sort()
}

export interface Chosen {
  platform: Platform
  runtime: Package
  installed: readonly Package[]
  licences: readonly Entry[]
}

export async function contentsOf({ platform, runtime, installed, licences }: Chosen): Promise<Entry[]> {
  const windows = platform.os === 'win32'
  const own = [
    ...sourceFiles(),
    ...filesBelow('dashboard/dist/**/*'),
    ...bundleFiles(),
    ...DOCUMENTS.flatMap(filesBelow),
    ...EXAMPLES.flatMap(filesBelow).filter(file => !/\.test\.ts$/.test(file)),
  ]
  const packaged = await filesOf(installed)
  return [
    ...(await Promise.all(own.map(read))),
    ...(await Promise.all(READMES.map(async name => ({ ...(await read(`release/${name}`)), name })))),
    textEntry(
      'package.json',
      `${JSON.stringify({ name, version, description, license, type, engines, dependencies }, null, 2)}\n`,
    ),
    ...licences,
    ...(windows
      ? [textEntry('fundus.cmd', WINDOWS_COMMAND)]
      : [
          { ...textEntry('fundus', SHELL_COMMAND), executable: true },
          { ...(await read('deploy/fundus')), executable: true },
          await systemdUnit(),
        ]),
    ...packaged.filter(entry => !UNUSED.test(entry.name)),
    await runtimeOf(runtime, windows ? 'bun.exe' : 'bun'),
  ]
}

/**
 * The resource for FiveM and RedM, with the client that it uses, in a folder of the name that scripts call.
 */
export async function gameResource(): Promise<Entry[]> {
  const files = [...filesBelow('clients/fivem/*'), 'clients/lua/fundus.lua', 'LICENSE']
  const entries = await Promise.all(files.map(read))
  return entries.map(entry => ({ ...entry, name: `fundus/${basename(entry.name)}` }))
}

/** Without files of earlier bundles: all files of a bundle have the time of its build. */
function bundleFiles(): string[] {
  const madeAt = (file: string) => statSync(join(REPOSITORY, file)).mtimeMs
  return filesBelow('dist/*').filter(file => madeAt(file) === madeAt('dist/command-line.js'))
}

const filesBelow = (pattern: string) =>
  [...new Glob(pattern).scanSync(REPOSITORY)].map(file => file.replaceAll('\\', '/')).sort()

const read = async (file: string): Promise<Entry> => ({
  name: file,
  bytes: await Bun.file(join(REPOSITORY, file)).bytes(),
})

async function runtimeOf(runtime: Package, program: string): Promise<Entry> {
  const found = (await filesOf([runtime])).find(({ name }) => name === `${runtime.path}/bin/${program}`)
  if (!found) throw new Error(`${runtime.name} has no bin/${program}.`)
  return { ...found, name: `runtime/${program}`, executable: true }
}

async function systemdUnit(): Promise<Entry> {
  const file = 'deploy/fundus.service'
  let unit = await Bun.file(join(REPOSITORY, file)).text()
  for (const [before, after] of UNIT_LINES) {
    if (!unit.includes(before)) throw new Error(`${file} has no line any more that reads: ${before}`)
    unit = unit.replace(before, after)
  }
  return textEntry(file, unit)
}

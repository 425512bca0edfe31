/** Commands that use a service by address, as on a machine without a service of its own. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommandResult } from './command.ts'
import { commandHost } from './host-client.ts'
import { GERMAN } from './tools.ts'

export interface ClientOptions {
  /** The folder in which the command is started, which is also its home. */
  cwd: string
  env?: Record<string, string>
  input?: string
}

const CLI = join(import.meta.dir, '../../src/cli.ts')

/** A command in a process of its own; `child.kill('SIGKILL')` ends it like a crash. */
export function startClient(args: readonly string[], { cwd, env, input }: ClientOptions) {
  const child = Bun.spawn([process.execPath, CLI, ...args], {
    cwd,
    env: { ...GERMAN, PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    stdin: input === undefined ? 'ignore' : new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const result = Promise.all([child.stdout.text(), child.stderr.text(), child.exited]).then(
    ([stdout, stderr, code]): CommandResult => ({ code, stdout, stderr }),
  )
  return { child, result }
}

/** For tests that need no process: runs in the process for commands, so `args` need absolute paths. */
export async function runClient(
  args: readonly string[],
  { cwd, env, input = '' }: ClientOptions,
): Promise<CommandResult> {
  const host = await commandHost()
  return host.command({ args: [...args], env: { ...GERMAN, XDG_CACHE_HOME: cwd, ...env }, input })
}

/** Writes files below a folder, with the folders that they need. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

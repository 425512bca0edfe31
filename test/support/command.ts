/** An operator's command, as a process of its own. */
import { join } from 'node:path'
import type { Environment } from './host-client.ts'

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

export async function commandProcess(
  args: string[],
  { env, input }: { env: Environment; input?: string },
): Promise<CommandResult> {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', ...args], {
    cwd: join(import.meta.dir, '../..'),
    env,
    stdin: input === undefined ? 'ignore' : new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

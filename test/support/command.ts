/** An operator's command, as a process of its own. */
import type { Environment } from './host-client.ts'
import { withoutSecrets } from './secrets.ts'
import { programCommand, withoutNoise } from './windows.ts'

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

export async function commandProcess(
  args: string[],
  { env, input }: { env: Environment; input?: string },
): Promise<CommandResult> {
  const program = programCommand('src/cli.ts', args, env)
  const child = Bun.spawn(program.command, {
    cwd: program.cwd,
    env: program.env,
    stdin: input === undefined ? 'ignore' : 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  child.stdin?.write(input ?? '')
  child.stdin?.end()
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return withoutSecrets(args, { code, stdout, stderr: withoutNoise(stderr) })
}

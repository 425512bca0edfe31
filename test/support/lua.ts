/** Reads our Lua output with a real Lua. */
import { join } from 'node:path'
import { openFolder } from './folder.ts'
import { toolOrFail } from './tools.ts'

export const findLua = () => Bun.which('lua5.4') ?? Bun.which('lua')

/** LuaSocket has no program of its own: this finds a Lua that has it. */
export function findLuaSocket(): string | null {
  const lua = findLua()
  return lua && Bun.spawnSync([lua, '-e', "require('socket.http')"]).exitCode === 0 ? lua : null
}

/** Runs a chunk that returns a table of strings, and returns the table as Lua has read it. */
export async function readLuaTable(chunk: string): Promise<Map<string, string>> {
  const lua = toolOrFail('lua5.4', findLua)
  await using temporary = await openFolder()
  const folder = temporary.path
  const file = join(folder, 'export.lua')
  await Bun.write(file, chunk)
  // Lengths precede texts, so that no text can be misread.
  const script = `local t = dofile(arg[1])
    assert(type(t) == 'table')
    for k, v in pairs(t) do io.write(#k, ' ', #v, '\\n', k, v, '\\n') end`
  await Bun.write(join(folder, 'read.lua'), script)
  const child = Bun.spawn([lua, join(folder, 'read.lua'), file], { stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`Lua refuses it: ${errors.slice(0, 1000)}`)
  return parsed(Buffer.from(output))
}

function parsed(output: Buffer): Map<string, string> {
  const table = new Map<string, string>()
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf('\n', at)
    const [key = 0, value = 0] = output.toString('latin1', at, lineEnd).split(' ').map(Number)
    const start = lineEnd + 1
    table.set(
      output.toString('utf8', start, start + key),
      output.toString('utf8', start + key, start + key + value),
    )
    at = start + key + value + 1
  }
  return table
}

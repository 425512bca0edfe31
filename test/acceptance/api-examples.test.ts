/** The examples of docs/api.md, copied from there verbatim and run by real interpreters. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { useFolder } from '../support/folder.ts'
import { findLua, findLuaSocket } from '../support/lua.ts'
import { png } from '../support/pictures.ts'
import { sharedService } from '../support/shared-service.ts'
import { needsTool, type Tool, toolOrFail } from '../support/tools.ts'

const REPOSITORY = resolve(import.meta.dir, '../..')
const on = sharedService()
const folder = await useFolder()
const guide = await readFile(join(REPOSITORY, 'docs/api.md'), 'utf8')
const section = guide.slice(guide.indexOf('## From a program'), guide.indexOf('## Whole folders'))

let picture: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  picture = new Uint8Array(await png())
  await writeFile(join(folder, 'picture.png'), picture)
})

/** The language in the guide, the program that runs it, and the name of its file. */
const EXAMPLES: readonly {
  fence: string
  name: string
  path: string
  program: () => string
  tools: Tool[]
}[] = [
  { fence: 'sh', name: 'curl.sh', path: 'curl', program: () => 'sh', tools: ['curl'] },
  {
    fence: 'js',
    name: 'javascript.mjs',
    path: 'javascript',
    program: () => Bun.which('node') ?? process.execPath,
    tools: [],
  },
  {
    fence: 'lua',
    name: 'lua.lua',
    path: 'lua',
    program: () => toolOrFail('lua5.4', findLua),
    tools: ['lua5.4', 'lua-socket'],
  },
  {
    fence: 'php',
    name: 'php.php',
    path: 'php',
    program: () => toolOrFail('php-cli', () => Bun.which('php')),
    tools: ['php-cli'],
  },
  {
    fence: 'python',
    name: 'python.py',
    path: 'python',
    program: () => toolOrFail('python3'),
    tools: ['python3'],
  },
]
const FINDERS: Partial<Record<Tool, () => string | null>> = {
  'lua5.4': findLua,
  'lua-socket': findLuaSocket,
  'php-cli': () => Bun.which('php'),
}

function exampleIn(fence: string): string {
  const found = [...section.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\``, 'gm'))]
  expect(found).toHaveLength(1)
  return found[0]![1]!
}

async function run(program: string, name: string, env: Record<string, string> = {}) {
  const child = Bun.spawn([program, name], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      LUA_PATH: `${REPOSITORY}/clients/lua/?.lua;;`,
      FUNDUS_URL: on.service.url,
      FUNDUS_TOKEN: on.token,
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr }
}

describe.each(EXAMPLES)('$fence', ({ fence, name, path, program, tools }) => {
  for (const tool of tools) needsTool(tool, FINDERS[tool])

  test('uploads the picture and prints its address; a wrong token is told', async () => {
    await writeFile(join(folder, name), exampleIn(fence))
    const { code, stdout, stderr } = await run(program(), name)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout, stderr: expect.not.stringContaining('rror') })
    expect(stdout).toContain(`/f/examples/${path}.png`)
    const stored = await fetch(`${on.service.url}/f/examples/${path}.png`)
    expect(new Uint8Array(await stored.arrayBuffer())).toEqual(picture)

    const refused = await run(program(), name, { FUNDUS_TOKEN: 'media_wrong' })
    expect(refused.stdout + refused.stderr).toContain('Token')
  })
})

/** The scripts in docs/api.md, copied from there verbatim. */
import { expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { read } from '../support/api.ts'
import { writeFiles } from '../support/client.ts'
import { useFolder } from '../support/folder.ts'
import { sharedService } from '../support/shared-service.ts'
import { needsTool } from '../support/tools.ts'

needsTool('curl')
const on = sharedService()
const folder = await useFolder()
const guide = await readFile(resolve(import.meta.dir, '../../docs/api.md'), 'utf8')

function scriptIn(language: string): string {
  const script = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide)?.[1]
  if (script === undefined) throw new Error(`docs/api.md has no script in ${language}`)
  return script
}

async function run(program: string, name: string, script: string, ...args: string[]) {
  await writeFile(join(folder, name), script)
  const child = Bun.spawn([program, join(folder, name), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, FUNDUS_URL: on.service.url, FUNDUS_TOKEN: on.token },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, stderr, urls: [...stdout.matchAll(/http[^"\s]+\/f\/[^"\s]+/g)].map(([url]) => url) }
}

/** Debian has no PowerShell; its script runs where the program is installed. */
const SHELLS = [
  ['bash', 'bash', 'push.sh'],
  ['powershell', 'pwsh', 'push.ps1'],
] as const

test.each(SHELLS.filter(([, program]) => program === 'bash' || Bun.which(program)))(
  'the %s script sends what is missing, in lower case, and nothing twice',
  async (language, program, name) => {
    const files = join(folder, `files-${language}`)
    await writeFiles(files, { 'A b.txt': 'refused', 'Sub/C.txt': 'c', 'd.txt': 'd' })
    const push = () => run(program, name, scriptIn(language), files, language)
    const first = await push()
    expect(first.urls.map(url => url.replace(/.*\/f\//, '')).sort()).toEqual([
      `${language}/d.txt`,
      `${language}/sub/c.txt`,
    ])
    expect(first.stderr).toContain('A b.txt')
    expect(await (await read(on.service, `${language}/sub/c.txt`)).text()).toBe('c')
    expect((await push()).urls).toEqual([])
  },
)

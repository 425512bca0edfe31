/** The output of commands into a pipe: complete for a slow reader, and no error if the reader exits early. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { writeFiles } from '../support/client.ts'
import { useFolder } from '../support/folder.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService()
const home = await useFolder()
const CLI = join(import.meta.dir, '../../src/cli.ts')

/** More than a pipe holds (64 KB) in every output format. */
const COUNT = 700
const NAMES = Array.from({ length: COUNT }, (_, at) => `${'long-name-'.repeat(8)}${at}.txt`)
const folder = join(home, 'many')
await writeFiles(folder, Object.fromEntries(NAMES.map(name => [name, name])))
const list = join(home, 'list.txt')
await writeFiles(home, { 'list.txt': NAMES.map(name => `http://127.0.0.1:1/${name}`).join('\n') })

/**
 * Runs `fundus <words>` in a shell, followed by `behind`; the last line of stdout is the exit code of
 * `fundus`.
 */
async function inShell(words: string, behind: string) {
  const child = Bun.spawn(
    ['bash', '-c', `"$BUN" "$CLI" ${words} ${behind}; echo "exit code \${PIPESTATUS[0]}"`],
    {
      cwd: home,
      env: {
        ...{ PATH: process.env.PATH ?? '', HOME: home, LC_ALL: 'C.UTF-8' },
        ...{ BUN: process.execPath, CLI, FUNDUS_TOKEN: on.token },
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  const [, text = '', code] = /^(.*?)exit code (\d+)\n$/s.exec(stdout) ?? []
  return { text, stderr, code: Number(code) }
}

const push = () => `push "${folder}" ${on.service.url}/x --dry-run`
const imported = () => `import "${list}" ${on.service.url}/x --dry-run`
/** Begins to read only long after the writer could have finished. */
const SLOWLY = '| (sleep 2; cat)'

const FORMS: [string, () => string][] = [
  ['push --output json', () => `${push()} --output json`],
  ['import --output csv', () => `${imported()} --output csv`],
  ['push --output lua', () => `${push()} --output lua`],
  ['push --output text', push],
  ['import --output json', () => `${imported()} --output json`],
  ['import --output sql', () => `${imported()} --output sql`],
]
// Concurrent, because the commands mostly wait for their readers. All formats are written by the same code.
test.concurrent.each(isOrdinaryRun ? FORMS.slice(0, 2) : FORMS)(
  'a slow reader gets the whole output of %s',
  async (_, words) => {
    const { text, code } = await inShell(words(), SLOWLY)
    expect(text.length).toBeGreaterThan(65_536)
    expect(NAMES.filter(name => !text.includes(name))).toEqual([])
    expect(text).toEndWith('\n')
    expect(code).toBe(0)
  },
)

test('a reader that takes one line and leaves is no error', async () => {
  const { text, stderr, code } = await inShell(`${push()} --output lua`, '| head -1')
  expect({ text, stderr, code }).toEqual({ text: 'return {\n', stderr: '', code: 0 })
})

test('output that cannot be written is told, with exit code 1', async () => {
  const { stderr, code } = await inShell(`${push()} --output json`, '> /dev/full')
  expect(stderr).toContain('fundus: The output could not be written completely (ENOSPC): it is incomplete.\n')
  expect(code).toBe(1)
})

leftToLong('push --watch ends when nobody reads its lines any more', async () => {
  const watched = join(home, 'watched')
  await writeFiles(watched, { 'first.txt': 'first' })
  const run = inShell(`push "${watched}" ${on.service.url}/watched --watch`, '| head -1')
  let ended = false
  void run.then(() => {
    ended = true
  })
  // The service notices only when it writes the next log line, so the test makes it write one.
  let number = 0
  await eventually('the end', async () => {
    await writeFiles(watched, { [`more-${++number}.txt`]: 'more' })
    return ended
  })
  expect(await run).toMatchObject({ stderr: '', code: 0 })
})

test('a service whose log nobody reads any more goes on, and stops cleanly', async () => {
  // `exec`, so that the stop signal reaches the service itself.
  const wrapper = ['bash', '-c', 'exec "$@" > >(sed /listening/q)', 'bash']
  await using service = await startService({ wrapper, ownProcess: true })
  // Each signal writes a line to the log.
  for (let turn = 0; turn < 3; turn++) {
    process.kill(service.pid, 'SIGHUP')
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
  }
  expect(await service.stop()).toBe(0)
  expect(service.output()).not.toContain('EPIPE')
})

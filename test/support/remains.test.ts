/** A test file that leaves something behind fails; one that cleans up does not. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { useFolder } from './folder.ts'
import { failuresOfReport } from './run/report.ts'

setDefaultTimeout(120_000)

const folder = await useFolder()

/** What the only test of each file does, and what is reported; null: nothing. */
const FILES: Record<string, [does: string, said: RegExp | null]> = {
  timer: ['setTimeout(() => {}, 60_000)', /a timer of 60000 ms, at .*timer\.test\.ts/],
  interval: ['setInterval(() => {}, 10).unref()', /a timer of 10 ms/],
  process: ["Bun.spawn(['sleep', '20'])", /the process \d+: sleep 20/],
  server: ["Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })", /a listening socket/],
  connection: [
    "const { port, stop } = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })\n" +
      "await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })\n",
    /a connection of port \d+/,
  ],
  descriptor: [
    "(await import('node:fs')).openSync(import.meta.path, 'r')",
    /descriptor \d+, .*descriptor\.test/,
  ],
  clean: [
    "clearTimeout(setTimeout(() => {}, 60_000))\nconst child = Bun.spawn(['sleep', '20'])\nchild.kill()\nawait child.exited\n" +
      "Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } }).stop()\n" +
      "const { openSync, closeSync } = await import('node:fs')\ncloseSync(openSync(import.meta.path, 'r'))",
    null,
  ],
}

test.skipIf(process.platform !== 'linux')(
  'a timer, process, socket or descriptor that is left behind fails its file, and no other',
  async () => {
    for (const [name, [does]] of Object.entries(FILES))
      await Bun.write(
        join(folder, `${name}.test.ts`),
        `import { test } from 'bun:test'\ntest('${name}', async () => {\n${does}\n})\n`,
      )
    const report = join(folder, 'report.xml')
    const files = Object.keys(FILES).map(name => join(folder, `${name}.test.ts`))
    const child = Bun.spawn(
      [
        ...[process.execPath, 'test', '--parallel=2', '--no-isolate', '--timeout=60000'],
        ...['--reporter=junit', `--reporter-outfile=${report}`, ...files],
      ],
      { cwd: resolve(import.meta.dir, '../..'), stdio: ['ignore', 'ignore', 'ignore'] },
    )
    expect(await child.exited).toBe(1)
    const said = failuresOfReport(await Bun.file(report).text())
    for (const [name, [, expected]] of Object.entries(FILES)) {
      const reasons = said.filter(({ file }) => file.endsWith(`/${name}.test.ts`)).map(({ reason }) => reason)
      expect([name, reasons]).toEqual([name, expected === null ? [] : [expect.stringMatching(expected)]])
    }
  },
)

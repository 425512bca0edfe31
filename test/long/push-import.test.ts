/** The long form of test/acceptance/push.test.ts and import.test.ts, which use fewer files. */
import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from '../support/bytes.ts'
import { startClient, writeFiles } from '../support/client.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { startOldHost } from '../support/old-host.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService({ env: ADMIN_ENV })
const MINUTES = 60_000

/** The number of entries of each kind below a folder, according to the history. */
async function happened(prefix: string, session: string): Promise<{ uploads: number; overwrites: number }> {
  const count = async (was: string) => {
    const response = await dash(on.service, `verlauf?pfad=${prefix}/&was=${was}&anzahl=30`, { session })
    return ((await response.json()) as { gesamt: number }).gesamt
  }
  return { uploads: await count('hochgeladen'), overwrites: await count('ueberschrieben') }
}

async function killTwice(command: string, source: string, prefix: string, count: number, cwd: string) {
  const session = await signIn(on.service)
  const start = (...options: string[]) =>
    startClient([command, source, `${on.service.url}/${prefix}`, ...options], {
      cwd,
      env: { FUNDUS_TOKEN: on.token },
    })
  const options = command === 'import' ? ['--per-second', '300'] : []
  for (const part of [0.3, 0.6]) {
    const { child, result } = start(...options)
    const enough = async () => (await happened(prefix, session)).uploads >= count * part
    await eventually('part of it is there', enough, 10 * MINUTES)
    child.kill('SIGKILL')
    await result
  }
  const { code, stderr } = await start(...options).result
  expect({ code, stderr: stderr.replace(/^.*% ·.*\n/gm, '') }).toEqual({ code: 0, stderr: '' })
  expect(await happened(prefix, session)).toEqual({ uploads: count, overwrites: 0 })
}

test(
  'push of 10 000 files killed and started again twice: nothing missing, nothing sent twice',
  async () => {
    await using folder = await openFolder()
    const files = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [
        `n${at % 40}/${at}.bin`,
        randomBytes(at + 1, 1000 + (at % 5000)),
      ]),
    )
    await writeFiles(join(folder.path, 'files'), files)
    await killTwice('push', 'files', 'many', 10_000, folder.path)
  },
  20 * MINUTES,
)

test(
  'import of 1 000 addresses killed and started again twice: nothing missing, nothing sent twice',
  async () => {
    await using folder = await openFolder()
    const files = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`${at}.bin`, randomBytes(at + 1, 3000 + at)]),
    )
    using old = startOldHost(files, { '5.bin': 'slow', '6.bin': 'busy', '700.bin': 'busy' })
    await writeFile(
      join(folder.path, 'list'),
      Object.keys(files)
        .map(name => `${old.url}/${name}`)
        .join('\n'),
    )
    await killTwice('import', 'list', 'moved', 1000, folder.path)
  },
  20 * MINUTES,
)

/** The first start on a machine with 512 MB of memory: the pages are built, and the service answers. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder, realDisk } from '../support/folder.ts'
import { limitMemory, memoryLimitProblem } from '../support/memory-limit.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(300_000)

const REPOSITORY = join(import.meta.dir, '../..')
const MEMORY = 512 * 1024 * 1024
/** Memory that the system itself needs on such a machine. */
const LEFT_TO_OTHERS = 80 * 1024 * 1024

const problem = await memoryLimitProblem()
const name = 'a clone starts within 512 MB, its pages included'

test.skipIf(problem !== null)(problem === null ? name : `${name}: ${problem}`, async () => {
  await using clone = await openFolder(realDisk())
  const tracked = Bun.spawnSync(['git', 'ls-files', '-z', 'src', 'dashboard', '*.json'], { cwd: REPOSITORY })
  for (const file of tracked.stdout.toString().split('\0').filter(Boolean))
    await cp(join(REPOSITORY, file), join(clone.path, file))
  await symlink(join(REPOSITORY, 'node_modules'), join(clone.path, 'node_modules'))

  // Not the peak is compared: it includes pages of files, which the kernel would give up.
  await using memory = limitMemory(MEMORY - LEFT_TO_OTHERS)
  const port = freePort()
  const service = Bun.spawn(memory.command('npm', 'start'), {
    cwd: clone.path,
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: join(clone.path, 'data') },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const page = await eventually(
    'the dashboard',
    async () => {
      expect(service.exitCode).toBeNull()
      const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
      return response?.ok ? response.text() : undefined
    },
    240_000,
  )
  expect(page).toContain('/assets/')
})

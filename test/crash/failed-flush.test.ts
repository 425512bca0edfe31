/**
 * A disk that cannot write for a moment, followed by a power cut: everything that was answered before,
 * meanwhile and afterwards is there. One round with one process and (not in `npm test`) one with two workers;
 * `FLUSH_ROUNDS` sets the number, ten in the long tests.
 */

import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { read, remove, store } from '../support/api.ts'
import { realDisk, useFolder } from '../support/folder.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { evict, isMountedReadOnly, mountProblem, openThinDisk, type ThinDisk } from '../support/mounts.ts'
import { losePower } from '../support/power-cut.ts'
import { descendants, isAlive } from '../support/processes.ts'
import { testSeed } from '../support/random-seed.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { checkAfterCrash, failIfAny } from './check.ts'
import { createModel } from './model.ts'
import { seededRandom } from './random.ts'
import { startLoad } from './workload.ts'

const ROUNDS = Number(process.env.FLUSH_ROUNDS ?? (process.env.CRASH_ROUNDS ? 10 : 1))
/** Space for what the load of all rounds stores: the disk must be full only where the test fills it. */
const DISK_MEGABYTES = 120 + 40 * ROUNDS

const unmountable = mountProblem()
const root = await useFolder(realDisk())

const processesOf = (service: Service) => [service.pid, ...descendants(service.pid)]

async function databaseCheck({ url }: Service) {
  const status = (await (await fetch(`${url}/status`)).json()) as { pruefungen: { ok: boolean }[] }
  return status.pruefungen[0]!
}

describe.skipIf(unmountable !== null)(
  `a disk that cannot write for a moment${unmountable ? ` (${unmountable})` : ''}`,
  () => {
    test.each(isOrdinaryRun ? [1] : [1, 2])(
      `with %d processes: nothing answered is lost, nothing deleted comes back, ${ROUNDS} times`,
      async workers => {
        await using disk = await openThinDisk(join(root, `workers-${workers}`), DISK_MEGABYTES)
        const dataDir = join(disk.folder, 'data')
        const unflushedNote = join(dataDir, 'fundus.db-unflushed')
        /**
         * The failed flush was that of the database file, so the service waits for a restart of the machine.
         */
        const hasGivenUp = () => existsSync(unflushedNote)
        const random = seededRandom(testSeed)
        const model = createModel()
        await using service = await startService({
          dataDir,
          ownProcess: true,
          mode: 'embedded',
          env: { WORKERS: String(workers) },
        })
        const token = await service.createToken('--name', 'flush', '--may-delete')
        for (let round = 1; round <= ROUNDS; round++) {
          let refused = 0
          let [firstRefused, lastRefused] = [0, 0]
          const load = startLoad({ url: service.url, token }, model, random.fork(), round, {
            onRefused: () => {
              if (refused++ === 0) firstRefused = performance.now()
              lastRefused = performance.now()
            },
          })
          await eventually('writes are answered', () => load.acknowledged() > 20)
          await disk.exhaust()
          await eventually('a write is refused', () => refused > 0 || hasGivenUp())
          await Bun.sleep(random.between(0, 300))
          await disk.recover()
          const recovered = performance.now()
          const before = load.acknowledged()
          // If ext4's own metadata could not be written, it is read-only until the power cut.
          const isReadOnly = () => isMountedReadOnly(disk.folder)
          await eventually(
            'writes are answered again',
            () => load.acknowledged() > before + 40 || isReadOnly() || hasGivenUp(),
          ).catch(error => {
            throw new Error(`${error.message}\n${service.output().slice(-4000)}`)
          })
          if (isReadOnly())
            console.log(`  ${workers} processes, round ${round}: the file system is read-only`)
          load.end()
          await losePower(service, disk)
          await load.finished
          if (hasGivenUp()) {
            console.log(`  ${workers} processes, round ${round}: the database file could not be flushed`)
            // A restart of the machine would invalidate the note; here the test removes it.
            await rm(unflushedNote)
          }
          await service.restart()
          failIfAny(`round ${round}`, await checkAfterCrash(service.url, dataDir, model))
          const milliseconds = (from: number) => Math.max(0, Math.round(lastRefused - from))
          console.log(
            `  ${workers} processes, round ${round}: ${refused} writes refused over ${milliseconds(firstRefused)} ms, the last one ${milliseconds(recovered)} ms after the disk could write again`,
          )
        }
        expect(model.paths().length).toBeGreaterThan(0)
      },
      60_000 + ROUNDS * 60_000,
    )

    /** A service whose log could not be flushed, on a disk that still cannot write, and its files. */
    async function unflushed(disk: ThinDisk, workers = '1') {
      const dataDir = join(disk.folder, 'data')
      const env = { WORKERS: workers }
      const service = await startService({ dataDir, ownProcess: true, mode: 'embedded', env })
      const token = await service.createToken('--name', 'flush', '--may-delete')
      const stored = Array.from({ length: 20 }, (_, at) => `kept/${at}.txt`)
      for (const path of [...stored, 'removed.txt', 'refused.txt']) await store(service, token, path, path)
      expect((await remove(service, token, 'removed.txt')).status).toBe(200)
      await disk.exhaust()
      const refused = await eventually('the log cannot be flushed', async () => {
        const response = await remove(service, token, 'refused.txt')
        return response.status === 503 ? ((await response.json()) as { error: string }) : undefined
      })
      expect(refused.error).toStartWith('Der Datenträger schreibt gerade nicht zuverlässig')
      const missing = async () => {
        const statuses = [...stored, 'removed.txt'].map(async path => (await read(service, path)).status)
        return (await Promise.all(statuses)).filter(status => status !== 200)
      }
      return { service, dataDir, token, missing }
    }

    leftToLong(
      '/status and /metrics tell, and nothing is stored until everything was carried over',
      async () => {
        await using disk = await openThinDisk(join(root, 'told'), DISK_MEGABYTES)
        const { service, token } = await unflushed(disk)
        await using _ = service
        const code = 'check-database-unflushed'
        expect(await databaseCheck(service)).toMatchObject({ was: 'datenbank', ok: false, code })
        expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(
          /fundus_disk_faults_total\{what="log"\} [1-9]/,
        )
        await disk.recover()
        await eventually('writes are answered again', async () =>
          store(service, token, 'again.txt', 'again').then(
            () => true,
            () => false,
          ),
        )
        await eventually('all is well again', async () => (await databaseCheck(service)).ok)
      },
    )

    leftToLong.each(['1', '2'])(
      'if the kernel has forgotten what it could not write, the service gives up, and the next start has all that was answered: %s workers',
      async workers => {
        await using disk = await openThinDisk(join(root, `forgotten-${workers}`), DISK_MEGABYTES)
        const { service, dataDir, missing } = await unflushed(disk, workers)
        await using _ = service
        // Until then it reads, and stores nothing.
        expect(await missing()).toEqual([404])
        const processes = processesOf(service)
        expect(processes.length).toBeGreaterThan(Number(workers) > 1 ? Number(workers) : 0)
        evict(join(dataDir, 'fundus.db-wal'))
        // One worker notices it first; the supervisor stops the other one too and starts no new one.
        await eventually(
          'every process has ended',
          () => !processesOf(service).concat(processes).some(isAlive),
        )
        expect(await service.stop()).toBe(74)
        expect(service.logs().map(({ message }) => message)).toContain(
          'the service gives up: what was not flushed is lost, the next start goes on without it',
        )
        await disk.recover()
        await disk.losePower()
        await service.restart()
        expect(await missing()).toEqual([404])
      },
    )

    leftToLong(
      'stopped meanwhile, it leaves the log as it is; the next start has all that was answered',
      async () => {
        await using disk = await openThinDisk(join(root, 'stopped'), DISK_MEGABYTES)
        const { service, missing } = await unflushed(disk)
        await using _ = service
        await service.stop()
        await disk.recover()
        await disk.losePower()
        await service.restart()
        expect(await missing()).toEqual([404])
      },
    )
  },
)

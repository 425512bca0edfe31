/**
 * Kills a part: one of two workers, which is restarted, or the supervisor, which ends its workers; and
 * commands in the middle, after which the folder has the old or the new state. A third of the rounds of
 * `kill.test.ts`.
 */
import { expect, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import { read, store } from '../support/api.ts'
import { backUp } from '../support/backup.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { removeDatabase } from '../support/data-folder.ts'
import { openFolder, realDisk, useFolder } from '../support/folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { childrenOf, descendants } from '../support/processes.ts'
import { testSeed } from '../support/random-seed.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { checkAfterCrash, failIfAny } from './check.ts'
import { createModel } from './model.ts'
import { expectSuccess, killed, spawnCommand, survivors } from './processes.ts'
import { seededRandom } from './random.ts'
import { startLoad } from './workload.ts'

const ROUNDS = Math.ceil(Number(process.env.CRASH_ROUNDS ?? 12) / 3)
setDefaultTimeout(60_000 * (ROUNDS + 5))

const folder = await useFolder(realDisk())

leftToLong(`one worker or the supervisor killed ${ROUNDS} times: nothing answered is lost`, async () => {
  const dataDir = join(folder, 'workers')
  const random = seededRandom(testSeed)
  const model = createModel()
  const totals = { worker: 0, supervisor: 0, acknowledged: 0, broken: 0 }
  const env = { WORKERS: '2' }
  await using service = await startService({ dataDir, ownProcess: true, mode: 'embedded', env })
  const token = await service.createToken('--name', 'crash', '--may-delete')
  for (let round = 1; round <= ROUNDS; round++) {
    const onBroken = () => void totals.broken++
    const load = startLoad({ url: service.url, token }, model, random.fork(), round, { onBroken })
    await eventually('writes are answered', () => load.acknowledged() > 5)
    await Bun.sleep(random.between(20, 300))
    const workers = childrenOf(service.pid)
    expect(workers).toHaveLength(2)
    if (round % 3 !== 0) {
      totals.worker++
      const victim = random.pick(workers)
      process.kill(victim, 'SIGKILL')
      await eventually('it is started again', () => {
        const now = childrenOf(service.pid)
        return now.length === 2 && !now.includes(victim)
      })
      const before = load.acknowledged()
      await eventually('writes are answered again', () => load.acknowledged() > before + 5)
      load.end()
    } else {
      totals.supervisor++
      const helpers = descendants(service.pid)
      load.end()
      process.kill(service.pid, 'SIGKILL')
      expect(await survivors(helpers)).toEqual([])
      await service.kill9()
      await service.restart()
    }
    const { violations } = await load.finished
    totals.acknowledged += load.acknowledged()
    violations.push(...(await checkAfterCrash(service.url, dataDir, model)))
    failIfAny(`round ${round}`, violations)
  }
  console.log(`kills of parts: ${JSON.stringify(totals)}`)
  expect(totals.acknowledged).toBeGreaterThan(ROUNDS * 10)
})

const FILES = 60
const bodyOf = (at: number) => randomBytes(at, 20_000)

/** What is served of the files that both states have, or only the old one. */
async function stateOf(service: Service): Promise<string> {
  const hashes = Array.from({ length: FILES + 1 }, async (_, at) => {
    const answer = await read(service, `k/${at}.bin`)
    return answer.status === 200 ? sha256(await answer.bytes()) : answer.status
  })
  return JSON.stringify(await Promise.all(hashes))
}

/** A stopped service with files and an archive of an older state. */
async function prepareStopped(dataDir: string) {
  const service = await startService({ dataDir, ownProcess: true, mode: 'embedded', env: ADMIN_ENV })
  const token = await service.createToken()
  for (let at = 0; at < FILES; at++) await store(service, token, `k/${at}.bin`, bodyOf(at))
  const older = await stateOf(service)
  const { archiv } = await backUp(service, await signIn(service))
  for (let at = FILES / 2; at <= FILES; at++) await store(service, token, `k/${at}.bin`, bodyOf(at + 1000))
  const newer = await stateOf(service)
  await service.stop()
  return { service, older, newer, archive: join(dataDir, 'sicherung', archiv!) }
}

leftToLong.each(['backup', 'restore', 'rebuild'] as const)(
  `%s killed ${ROUNDS} times at random moments: the old state or the new one, and the next run succeeds`,
  async command => {
    const random = seededRandom(testSeed)
    await using place = await openFolder(realDisk())
    const dataDir = join(place.path, 'data')
    const { service, older, newer, archive } = await prepareStopped(dataDir)
    await using _ = service
    const args = command === 'restore' ? [command, archive, '--force'] : [command]
    let [kills, longest] = [0, 1500]
    for (let round = 0; round < ROUNDS; round++) {
      // Only a lost database is rebuilt.
      if (command === 'rebuild') await removeDatabase(dataDir)
      const begun = performance.now()
      const child = spawnCommand(dataDir, args)
      if (await killed(child, random.between(50, longest))) {
        kills++
        // If it was killed after its last step, the new database is in place, and is not replaced.
        if (command === 'rebuild')
          await expectSuccess(spawnCommand(dataDir, args), /has files and stays as it is/)
      } else {
        expect(child.exitCode).toBe(0)
        longest = Math.ceil(performance.now() - begun)
      }
      await service.restart()
      const states = command === 'restore' ? [older, newer] : [newer]
      expect(states).toContain(await stateOf(service))
      await service.stop()
      const { code: checked, stdout } = await service.commandProcess('check')
      expect([checked, stdout]).toEqual([0, expect.any(String)])
    }
    console.log(`${command}: killed ${kills} of ${ROUNDS} times`)
    expect(kills).toBeGreaterThan(0)
    if (command !== 'rebuild') await expectSuccess(spawnCommand(dataDir, args))
  },
)

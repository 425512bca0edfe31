/**
 * Kills the service (SIGKILL) at random moments of parallel uploads, overwrites, deletes and reads, restarts
 * it, and checks that nothing acknowledged is lost and nothing half-written is visible. `CRASH_ROUNDS=2000`
 * for a soak test; `FUNDUS_TEST_SEED=…` repeats the choices (not the timing) of a run.
 */
import { expect, test } from 'bun:test'
import { realDisk, useFolder } from '../support/folder.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { descendants } from '../support/processes.ts'
import { testSeed } from '../support/random-seed.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { checkAfterCrash, checkSweep, failIfAny } from './check.ts'
import { createModel } from './model.ts'
import { killDuringStart, survivors } from './processes.ts'
import { seededRandom } from './random.ts'
import { startLoad } from './workload.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? (isOrdinaryRun ? 8 : 12))
/** The sweep needs the service stopped, which makes a round slower. */
const SWEEP_EVERY = 10
const LOAD_MS = [20, 300] as const
const START_KILL_CHANCE = 0.25
/** About as long as a start takes: kills hit migrations, clean-up and resumed work. */
const START_KILL_MS = [5, 250] as const
const PER_ROUND_MS = 30_000

const dataDir = await useFolder(realDisk())

test(
  `${ROUNDS} kills lose nothing that was answered`,
  async () => {
    const random = seededRandom(testSeed)
    const model = createModel()
    const totals: Record<string, number> = {}
    const count = (what: string, amount = 1) => {
      totals[what] = (totals[what] ?? 0) + amount
    }
    const fail = (round: number, when: string, violations: string[]) =>
      failIfAny(`round ${round}, ${when}`, violations)

    // Even the first start may be killed: half a schema must not prevent the second one.
    for (let turn = 0; turn < 3; turn++) {
      await killDuringStart(dataDir, random.between(...START_KILL_MS))
      count('kills while starting')
    }
    await using service: Service = await startService({ dataDir, ownProcess: true })
    const token = await service.createToken('--name', 'crash', '--may-delete')

    for (let round = 1; round <= ROUNDS; round++) {
      const load = startLoad({ url: service.url, token }, model, random.fork(), round)
      // Most rounds must have an acknowledged upload, otherwise the run shows nothing.
      if ((totals.upload ?? 0) <= round / 2)
        await eventually('an upload is answered', () => load.uploads() > 0)
      await Bun.sleep(random.between(...LOAD_MS))
      const helpers = descendants(service.pid)
      load.end()
      await service.kill9()
      const { violations, answered, open } = await load.finished
      fail(round, 'under load', violations)
      for (const [what, amount] of Object.entries(answered)) count(what, amount)
      count('open at the kill', open)
      const living = (await survivors(helpers)).map(pid => `helper process ${pid} lives on`)
      fail(round, 'after the kill', living)

      if (random.chance(START_KILL_CHANCE)) {
        const wasReady = await killDuringStart(dataDir, random.between(...START_KILL_MS))
        count(wasReady ? 'kills just after starting' : 'kills while starting')
      }
      if (round % SWEEP_EVERY === 0 || round === ROUNDS) {
        // Any command: whichever process opens the folder first cleans up after the killed one.
        await service.commandProcess('token', 'list')
        fail(round, 'at the sweep', await checkSweep(dataDir, () => sweep(service, count)))
      }
      await service.restart()
      fail(round, 'after the restart', await checkAfterCrash(service.url, dataDir, model))
    }

    // Once more after an orderly stop: derived files are complete or absent.
    expect(await service.stop()).toBe(0)
    fail(ROUNDS, 'at the last sweep', await checkSweep(dataDir, () => sweep(service, count)))
    console.log(`crash test: ${JSON.stringify(totals)}, ${model.occupied().length} files at the end`)
    // A run without requests in progress at the kills would prove nothing.
    expect(totals['open at the kill']).toBeGreaterThan(ROUNDS / 2)
    expect(totals.upload).toBeGreaterThan(ROUNDS / 2)
  },
  PER_ROUND_MS * (ROUNDS + 5),
)

async function sweep(service: Service, count: (what: string, amount?: number) => void) {
  const { code, stdout, stderr } = await service.commandProcess('sweep', '--older-than', '0')
  if (code !== 0) throw new Error(`sweep ended with ${code}:\n${stdout}${stderr}`)
  const answer = JSON.parse(stdout) as { removed: string[]; missing: string[] }
  count('leftovers swept', answer.removed.length)
  return answer
}

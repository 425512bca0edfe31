/** A run of the service inside the host of this worker. */
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Delays } from '../../src/config/delays.ts'
import { serviceHost } from './host-client.ts'
import type { Run, RunParts } from './service.ts'
import { STOP_DEADLINE_MS } from './service-process.ts'

/** Shorter delays than the real ones, where they show the same. */
const QUICK: Partial<Delays> = { objectDeletion: 200, changeCheck: 100, uploadLockRenewal: 500 }
/** Only if there is a webhook: each check for due messages costs as much as a request. */
const QUICK_DELIVERY: Partial<Delays> = { messageCheck: 100 }

export async function beginHosted(parts: RunParts): Promise<Run> {
  const { env, clockAhead = 0, delays = {}, temporaryFolder } = parts
  const isTemporary = temporaryFolder !== undefined
  const quickDelays = { ...QUICK, ...(env.WEBHOOK_URL ? QUICK_DELIVERY : {}), ...delays }
  const host = await serviceHost()
  const logFile = join(tmpdir(), `fundus-log-${crypto.randomUUID()}`)
  // What the host itself writes, such as an uncaught exception, may concern this service.
  const saidBefore = host.complaints().length
  const { id, port } = await host
    .start({ env, logFile, clockAhead, delays: quickDelays, isTemporary })
    .catch(error => {
      rmSync(logFile, { force: true })
      throw new Error(`The service did not start. The end of its log:\nfundus: ${error.message}`)
    })
  let last: string | undefined
  let ended: Promise<number> | undefined
  const stdout = () => last ?? readFileSync(logFile, 'utf8')

  const stop = async () => {
    const late = Bun.sleep(STOP_DEADLINE_MS).then(() => 'late')
    if ((await Promise.race([host.stop(id), late])) === 'late')
      throw new Error(`The service did not stop within ${STOP_DEADLINE_MS} ms.`)
    last = stdout()
    rmSync(logFile)
    return 0
  }
  return {
    port,
    get pid(): number {
      throw new Error('This service has no process of its own; start it with { ownProcess: true }.')
    },
    createToken: args => (ended ? null : host.token({ id, args })),
    stdout,
    everything: () => stdout() + host.complaints().slice(saidBefore),
    async end(signal) {
      if (signal === 'SIGKILL' && !ended)
        throw new Error('This service has no process to kill; start it with { ownProcess: true }.')
      ended ??= stop()
      return ended
    },
  }
}

/** One of several processes that serve a port together, started by the supervisor (`supervisor.ts`). */

import { sealPrototypes } from '../../base/sealed-prototypes.ts'
import type { Config } from '../../config/config.ts'
import type { BuiltFiles } from '../../features/web/built-files.ts'
import { freeMemoryAfterStart, processContextOf, startService } from '../main.ts'
import { joinSupervisor } from './membership.ts'

export async function runWorker(config: Config, webFiles: BuiltFiles): Promise<void> {
  sealPrototypes()
  const membership = await joinSupervisor()
  const { workers, port, stopRequested } = membership
  const service = await startService({ ...config, port }, webFiles, { ...processContextOf(config), workers })
  const { app, announce, log } = service
  // A signal to the process group (Ctrl+C, systemd) also reaches this worker, besides the supervisor's stop
  // message; whichever comes first starts the shutdown.
  const stopSignal = new Promise<void>(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })
  freeMemoryAfterStart()
  membership.reportReady(service.port, { ...app, announce })
  const stopRequest = await Promise.race([stopRequested, stopSignal])
  if (stopRequest?.isSupervised === false) log.error('the supervisor is gone: this worker ends')
  await service.stop({
    drain: stopRequest?.drain === true,
    ...(stopRequest?.isSupervised === false && { gracePeriod: 0 }),
  })
  await membership.leave(app.figures())
}

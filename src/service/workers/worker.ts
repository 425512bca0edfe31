/** One of several processes that serve a port together, started by the supervisor (`supervisor.ts`). */

import { sealPrototypes } from '../../base/sealed-prototypes.ts'
import type { Config } from '../../config/config.ts'
import type { BuiltFiles } from '../../features/web/built.ts'
import { freeAfterStart, processContextOf, startService } from '../main.ts'
import { joinSupervisor } from './membership.ts'

export async function runWorker(config: Config, webFiles: BuiltFiles): Promise<void> {
  sealPrototypes()
  const membership = await joinSupervisor()
  const { workers, port, stopAsked } = membership
  const service = await startService({ ...config, port }, webFiles, { ...processContextOf(config), workers })
  const { app, announce, log } = service
  // A signal to the process group (Ctrl+C, systemd) also reaches this worker, besides the supervisor's stop
  // message; whichever comes first starts the shutdown.
  const signalled = new Promise<void>(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })
  freeAfterStart()
  membership.ready(service.port, { ...app, announce })
  const asked = await Promise.race([stopAsked, signalled])
  if (asked?.supervised === false) log.error('the supervisor is gone: this worker ends')
  await service.stop({ drain: asked?.drain === true, ...(asked?.supervised === false && { patience: 0 }) })
  await membership.leave(app.figures())
}

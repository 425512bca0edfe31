/** All features and jobs of the service for a test, without a port and without the answering of requests. */

import { newId } from '../base/ids.ts'
import { DELAYS } from '../config/delays.ts'
import { createPasswords } from '../features/session/sign-in/passwords.ts'
import { createSettings } from '../features/settings/settings.ts'
import { SINGLE_PROCESS } from '../features/workers.ts'
import { createRequestIds } from '../http/request-id.ts'
import { startDecoderProcess } from '../images/child.ts'
import { createFeatures, listJobs, withSharedParts } from '../service/app.ts'
import { type Instance, STEADY_CLOCK } from './instance.ts'

export function createTestApp(
  instance: Instance,
  now: () => number,
  environment: Record<string, string> = {},
  delays = DELAYS,
) {
  const sharedParts = withSharedParts({
    ...instance,
    settings: createSettings({ environment, port: 0, database: instance.database }),
    newId,
    now,
    dataDir: instance.root,
    trustedProxies: [],
    webFiles: new Map(),
    quietPeriod: 1000,
    metricsToken: null,
    isInternalWebhookAllowed: false,
    discordAddress: 'http://127.0.0.1:9',
    preparedBytes: 0,
    maxOpenFiles: 0,
    connections: { open: 0, limit: 0, refused: 0, closedIdle: 0 },
    ids: createRequestIds({ newId }),
    delays,
    workers: SINGLE_PROCESS,
    passwords: createPasswords(Bun.password),
    startDecoder: startDecoderProcess,
    close: async () => {},
  })
  const parts = { ...sharedParts, clockWatch: STEADY_CLOCK }
  const features = createFeatures(parts)
  const jobs = listJobs(parts, features)
  return { parts, features, jobs, job: (name: string) => jobs.find(candidate => candidate.name === name)! }
}

/** The whole service in this process, on adapters that a test can make fail. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openAdapters } from '../../src/adapters/adapters.ts'
import { createLog } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'
import { DELAYS, type Delays } from '../../src/config/delays.ts'
import { DATABASE_FILE } from '../../src/database/sqlite/file.ts'
import { checkIntegrity } from '../../src/features/integrity/check.ts'
import { sweep } from '../../src/features/integrity/sweep.ts'
import { SINGLE_PROCESS } from '../../src/features/workers.ts'
import { startDecoderProcess } from '../../src/images/child.ts'
import { startService } from '../../src/service/main.ts'
import { writeNewDatabase } from '../../src/testing/new-database.ts'
import { ADMIN_ENV } from '../support/dashboard.ts'
import type { Service } from '../support/service.ts'
import { tokenAdmin } from '../support/token-admin.ts'
import { listFiles } from './disk.ts'
import { createFaults, faultyAdapters } from './faults.ts'

/** Delays the service's own background work as far as possible, so that it is not counted. */
const PATIENT: Delays = { ...DELAYS, objectDeletion: 1, changeCheck: 600_000, messageCheck: 600_000 }

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>

export async function startFaultyService(dataDir: string) {
  if ((await readdir(dataDir)).length === 0) await writeNewDatabase(join(dataDir, DATABASE_FILE))
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', ...ADMIN_ENV })
  const faults = createFaults()
  const lines: string[] = []
  const running = await startService(config, new Map(), {
    ...{
      terminal: null,
      now: Date.now,
      delays: PATIENT,
      startDecoder: startDecoderProcess,
      workers: SINGLE_PROCESS,
    },
    write: line => lines.push(line),
    argon: {
      hash: password => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }),
      verify: Bun.password.verify,
    },
    openAdapters: async (given, options) =>
      faultyAdapters(await openAdapters(given, options), faults, options.log),
  })
  // Only the part of a service that requests need.
  const service = { url: `http://127.0.0.1:${running.port}` } as Service
  const tokens = await tokenAdmin(service)
  const { token } = await tokens.create({ name: 'faults', darf_loeschen: true })
  return {
    ...{ service, token, faults, lines, session: tokens.session },
    [Symbol.asyncDispose]: () => running.stop(),
  }
}

/** With the service stopped: objects without an owner are swept, and then everything is in order. */
export async function checkInstance(dataDir: string): Promise<{ violations: string[]; swept: number }> {
  const log = createLog({ level: 'error', isHumanReadable: true, write: () => {} })
  await using adapters = await openAdapters(readConfig({ DATA_DIR: dataDir }), { log })
  const sweeping = () => sweep(adapters, { minAge: 0, isRequested: true })
  const { removedNames, missing, missingInTrash, heldBackCount } = await sweeping()
  const report = await checkIntegrity(adapters, { readsContents: true, shouldRepair: false })
  const left = (await sweeping()).removedNames
  const staged = (await listFiles(dataDir, 'staging')).filter(name => !name.endsWith('.lock'))
  const violations = [
    ...[...missing, ...missingInTrash.map(({ path }) => path)].map(path => `${path} has lost its object`),
    ...[...left, ...staged].map(name => `${name} is still there after the sweep`),
    ...(heldBackCount > 0 ? [`${heldBackCount} objects held back`] : []),
    ...(report.ok ? [] : [`fundus check: ${JSON.stringify(report)}`]),
  ]
  return { violations, swept: removedNames.length }
}

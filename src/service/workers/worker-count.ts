import { availableParallelism } from 'node:os'
import { type Config, machineMemory } from '../../config/config.ts'
import { MEGABYTE } from '../../contract/values/units.ts'

/**
 * For `WORKERS=auto`: bytes of memory for each worker with its decoders, and the maximum number of workers.
 * More workers gain little, since with SQLite only one can write to the database at a time.
 */
const MEMORY_PER_WORKER = 1024 * MEGABYTE
const MAX_AUTO_WORKERS = 8

/** Of the supported systems, only Linux distributes the connections of one port over several processes. */
export const CAN_SHARE_PORT = process.platform === 'linux'

export function workerCount(
  { workers }: Pick<Config, 'workers'>,
  machine = { canSharePort: CAN_SHARE_PORT, cores: availableParallelism(), memory: machineMemory() },
): number {
  if (!machine.canSharePort) return 1
  if (workers !== 'auto') return workers
  return Math.max(
    1,
    Math.min(machine.cores, Math.floor(machine.memory / MEMORY_PER_WORKER), MAX_AUTO_WORKERS),
  )
}

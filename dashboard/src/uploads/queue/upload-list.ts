/** The list of all uploads with their state, and the total speed. Changes are reported in batches. */
import { createMeter } from '../../ui/charts/meter.ts'
import type { Job, OmittedFile } from '../plan/plan.ts'
import {
  FREE_LINE,
  isActive,
  type LineState,
  stateOf,
  type UploadItem,
  type UploadsState,
} from './queue-state.ts'

export interface ListParts {
  now(): number
  /** Calls `work` after `delay` milliseconds. */
  later(work: () => void, delay: number): void
  onChange(state: UploadsState): void
}

/** Milliseconds in which changes are batched. */
const GATHER = 100

const UNSENT: Omit<UploadItem, 'id' | 'run' | 'job'> = {
  ...{ stage: 'waiting', sent: 0, broken: 0 },
  ...{ problem: null, stored: [], refused: [] },
}

export type UploadList = ReturnType<typeof createUploadList>

export function createUploadList({ now, later, onChange }: ListParts) {
  const items = new Map<number, UploadItem>()
  const meter = createMeter({ window: 6000, least: 800 })
  let bytesSent = 0
  let nextId = 1
  let run = 0
  let isTelling = false
  let line: LineState = FREE_LINE

  function tell(): void {
    if (isTelling) return
    isTelling = true
    later(() => {
      isTelling = false
      onChange(stateOf([...items.values()], { run, speed: meter.speed(now()), line }))
    }, GATHER)
  }

  function change(id: number, next: Partial<UploadItem>): void {
    const item = items.get(id)
    // The upload may have been removed while its request was pending.
    if (item) items.set(id, { ...item, ...next })
    tell()
  }

  /** The number of the run to which uploads that are added or repeated now belong. */
  function joinRun(): number {
    for (const item of items.values()) if (isActive(item)) return run
    return ++run
  }

  function put(more: Pick<UploadItem, 'run' | 'job'> & Partial<UploadItem>): number {
    const id = nextId++
    items.set(id, { ...UNSENT, ...more, id })
    tell()
    return id
  }

  return {
    change,
    joinRun,
    get: (id: number) => items.get(id),
    select: (want: (item: UploadItem) => boolean) => [...items.values()].filter(want).map(({ id }) => id),
    add: (job: Job, run: number) => put({ job, run }),
    addOmitted({ file, name, why }: OmittedFile, run: number): void {
      const job = { file, name, target: name, overwrite: false, archive: false, action: '' }
      put({ job, run, stage: 'omitted', problem: why })
    },
    remove(ids: readonly number[]): void {
      for (const id of ids) items.delete(id)
      tell()
    },
    /** Records the progress of an upload: `loaded` bytes were sent, including the form around the file. */
    progress(id: number, loaded: number): void {
      const item = items.get(id)
      if (!item) return
      const sent = Math.min(loaded, item.job.file.size)
      // The measurement of the speed includes the first bytes of a file.
      if (item.sent === 0) meter.record(bytesSent, now())
      bytesSent += Math.max(sent - item.sent, 0)
      meter.record(bytesSent, now())
      change(id, { sent })
    },
    setLine(next: LineState): void {
      line = next
      tell()
    },
    /** Called while nothing is being sent: a pause must not lower the speed. */
    pause: () => meter.reset(),
  }
}

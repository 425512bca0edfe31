/** The list of all uploads with their state, and the total speed. Changes are reported in batches. */
import { createSpeedMeter } from '../../ui/charts/meter.ts'
import type { OmittedFile, UploadJob } from '../plan/plan.ts'
import {
  isActive,
  type SenderState,
  UNBLOCKED_SENDER,
  type UploadItem,
  type UploadsState,
  uploadsStateOf,
} from './queue-state.ts'

export interface ListParts {
  now(): number
  schedule(callback: () => void, delayMs: number): void
  onChange(state: UploadsState): void
}

/** Milliseconds for which changes are collected before `onChange` is called. */
const BATCH_DELAY_MS = 100

const NEW_ITEM: Omit<UploadItem, 'id' | 'run' | 'job'> = {
  stage: 'waiting',
  sentBytes: 0,
  interruptions: 0,
  problem: null,
  storedFiles: [],
  refusedEntries: [],
}

export type UploadList = ReturnType<typeof createUploadList>

export function createUploadList({ now, schedule, onChange }: ListParts) {
  const items = new Map<number, UploadItem>()
  const meter = createSpeedMeter({ windowMs: 6000, minSpanMs: 800 })
  let bytesSent = 0
  let nextId = 1
  let run = 0
  let isReportDue = false
  let senderState: SenderState = UNBLOCKED_SENDER

  function scheduleReport(): void {
    if (isReportDue) return
    isReportDue = true
    schedule(() => {
      isReportDue = false
      onChange(uploadsStateOf([...items.values()], { run, speed: meter.speed(now()), sender: senderState }))
    }, BATCH_DELAY_MS)
  }

  function change(id: number, changes: Partial<UploadItem>): void {
    items.set(id, { ...items.get(id)!, ...changes })
    scheduleReport()
  }

  /**
   * Returns the number of the current run if something is being sent or waits; otherwise begins a new run and
   * returns its number.
   */
  function joinRun(): number {
    for (const item of items.values()) if (isActive(item)) return run
    return ++run
  }

  function addItem(fields: Pick<UploadItem, 'run' | 'job'> & Partial<UploadItem>): number {
    const id = nextId++
    items.set(id, { ...NEW_ITEM, ...fields, id })
    scheduleReport()
    return id
  }

  return {
    change,
    joinRun,
    get: (id: number) => items.get(id),
    select: (predicate: (item: UploadItem) => boolean) =>
      [...items.values()].filter(predicate).map(({ id }) => id),
    add: (job: UploadJob, run: number) => addItem({ job, run }),
    addOmitted({ file, name, reason }: OmittedFile, run: number): void {
      const job = { file, name, target: name, overwrite: false, isZipArchive: false, action: '' }
      addItem({ job, run, stage: 'omitted', problem: reason })
    },
    remove(ids: readonly number[]): void {
      for (const id of ids) items.delete(id)
      scheduleReport()
    },
    /** `loaded`: number of bytes sent so far, including the form around the file if it is sent in a form. */
    recordProgress(id: number, loaded: number): void {
      const item = items.get(id)
      if (!item) return
      const sentBytes = Math.min(loaded, item.job.file.size)
      // Adds a sample before the first bytes of a file, so that they count towards the speed as well.
      if (item.sentBytes === 0) meter.record(bytesSent, now())
      bytesSent += Math.max(sentBytes - item.sentBytes, 0)
      meter.record(bytesSent, now())
      change(id, { sentBytes })
    },
    setSenderState(newState: SenderState): void {
      senderState = newState
      scheduleReport()
    },
    /**
     * Called when nothing is being sent any more, so that the idle time until the next file does not lower
     * the speed.
     */
    resetMeter: () => meter.reset(),
  }
}

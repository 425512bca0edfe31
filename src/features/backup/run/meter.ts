/** Counts the bytes that all steps of a run handle together. */
import type { BackupStep } from '../../../contract/service/backup.ts'

export interface RunWatch {
  /** Only the rows: the bytes stay in the object store, which has its own copies. */
  onlyList: boolean
  signal: AbortSignal
  /** Bytes processed by all steps together. */
  onProgress: (step: BackupStep, done: number, total: number) => void
}

export type Meter = ReturnType<typeof createMeter>

export function createMeter({ signal, onlyList, onProgress }: RunWatch) {
  let done = 0
  let expected = 0
  let step: BackupStep = 'schreiben'
  return {
    signal,
    onlyList,
    step(next: BackupStep) {
      step = next
    },
    /** So many bytes are to come, as far as known. */
    expect(bytes: number) {
      expected = done + bytes
    },
    onBytes(count: number) {
      done += count
      onProgress(step, done, Math.max(done, expected))
    },
  }
}

/** Counts the bytes that all steps of a run process together, and reports the progress. */
import type { BackupStep } from '../../../contract/service/backup.ts'

export interface RunWatch {
  /** Whether to save only the rows and not the bytes, for an object store that has its own copies. */
  onlyList: boolean
  signal: AbortSignal
  /** Called with the number of bytes that all steps have processed together. */
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
    /** Sets how many more bytes are expected. */
    expect(bytes: number) {
      expected = done + bytes
    },
    onBytes(count: number) {
      done += count
      onProgress(step, done, Math.max(done, expected))
    },
  }
}

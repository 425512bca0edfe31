/** Counts the bytes processed by all steps of a backup run together, and reports the progress. */
import type { BackupStep } from '../../../contract/service/backup.ts'

export interface RunControls {
  /**
   * Whether to save only the database rows and not the contents of the files. Meant for a shared object store
   * that the operator copies separately.
   */
  onlyRows: boolean
  signal: AbortSignal
  /** `doneBytes`: number of bytes that all steps together have processed so far. */
  onProgress: (step: BackupStep, doneBytes: number, totalBytes: number) => void
}

export type ProgressMeter = ReturnType<typeof createProgressMeter>

export function createProgressMeter({ signal, onlyRows, onProgress }: RunControls) {
  let doneBytes = 0
  let expectedBytes = 0
  let step: BackupStep = 'schreiben'
  return {
    signal,
    onlyRows,
    beginStep(newStep: BackupStep) {
      step = newStep
    },
    /** Sets how many more bytes will probably be processed. */
    setExpectedBytes(bytes: number) {
      expectedBytes = doneBytes + bytes
    },
    onBytes(count: number) {
      doneBytes += count
      onProgress(step, doneBytes, Math.max(doneBytes, expectedBytes))
    },
  }
}

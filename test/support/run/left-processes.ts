/** Finds processes that the tests of a run started and did not end. */
import { readdirSync, readFileSync } from 'node:fs'

/** Decoders and workers notice by themselves that their service is gone, after a while. */
const PATIENCE_MS = 15_000

/**
 * Everything that a test starts inherits the folder for temporary files, even from a process that is gone.
 * Ends the processes that still exist; returns their command lines. Without /proc it finds nothing.
 */
export async function endLeftProcesses(folder: string): Promise<string[]> {
  const marker = `TMPDIR=${folder}`
  const find = () =>
    processIds().filter(pid => pid !== process.pid && read(pid, 'environ').split('\0').includes(marker))
  for (const end = performance.now() + PATIENCE_MS; find().length > 0 && performance.now() < end; )
    await Bun.sleep(50)
  return find().flatMap(pid => {
    const command = `${read(pid, 'cmdline').replaceAll('\0', ' ').trim()} (${pid})`
    try {
      process.kill(pid, 'SIGKILL')
      return [command]
    } catch {
      return []
    }
  })
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Empty if the process is gone or belongs to another user. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

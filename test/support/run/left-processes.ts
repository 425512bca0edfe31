/** Processes that the tests of a run started and did not end. */
import { readdirSync, readFileSync } from 'node:fs'

/** Decoders and workers see by themselves that their service is gone, after a while. */
const PATIENCE_MS = 15_000

/**
 * Whatever a test starts inherits the folder for temporary files, also where it was started by a process that is gone. Ends
 * what is still there; answers the command lines. Where there is no /proc nothing is found.
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

/** Empty where the process is gone, or another user's. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

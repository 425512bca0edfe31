/** A power cut of the disk that a service uses. */
import { descendants } from './processes.ts'
import type { Service } from './service.ts'

/** A helper may have ended meanwhile. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}

/**
 * Stops everything at once. `disk.losePower` cuts at once, too, and resolves when the flushed data is mounted
 * again.
 */
export async function losePower(service: Service, disk: { losePower(): Promise<void> }): Promise<void> {
  // Workers too: one that outlived the cut could act on the disk that is mounted next.
  const processes = [service.pid, ...descendants(service.pid)]
  for (const pid of processes) send(pid, 'SIGSTOP')
  const isBack = disk.losePower()
  for (const pid of processes) send(pid, 'SIGKILL')
  await service.kill9()
  await isBack
}

/** A power cut of the disk that a service uses. */
import { cutPower, mountAfterCut } from './mounts.ts'
import { descendants } from './processes.ts'
import type { Service } from './service.ts'

/** A helper may have ended meanwhile. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}

/** Everything stops at once; the disk comes back with what was flushed. */
export async function losePower(
  service: Service,
  { image, mounted }: { image: string; mounted: string },
): Promise<void> {
  // Also workers: one that outlived the cut could act on the disk that is mounted next.
  const processes = [service.pid, ...descendants(service.pid)]
  for (const pid of processes) send(pid, 'SIGSTOP')
  cutPower(mounted)
  for (const pid of processes) send(pid, 'SIGKILL')
  await service.kill9()
  await mountAfterCut(image, mounted)
}

import { join } from 'node:path'
import { LOAD_CORE } from './machine.ts'
import type { Server } from './server.ts'
import { PATH_MARK, type UploadJob, type UploadResult } from './upload-client.ts'
import { cpuSecondsOf, type Run } from './wrk.ts'

export type UploadPlan = Omit<UploadJob, 'ports' | 'request'>

/**
 * Runs the upload client on the core of the load; a process of its own, so that its memory and time are its
 * own.
 */
export async function spawnUpload(
  server: Server,
  plan: UploadPlan,
): Promise<UploadResult & { loadSeconds: number }> {
  const job: UploadJob = {
    ...plan,
    ports: server.ports ?? [server.port],
    request: server.upload(PATH_MARK),
  }
  const child = Bun.spawn(
    [
      'taskset',
      '-c',
      LOAD_CORE,
      process.execPath,
      join(import.meta.dir, 'upload-client.ts'),
      JSON.stringify(job),
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: 180_000 },
  )
  const [output, problem] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  try {
    return { ...(JSON.parse(output) as UploadResult), loadSeconds: cpuSecondsOf(child) }
  } catch {
    throw new Error(`The upload client gave no result:\n${output}${problem}`)
  }
}

export async function runUpload(server: Server, plan: UploadPlan): Promise<Run> {
  const { uploads, seconds, latencies, errors, loadSeconds } = await spawnUpload(server, plan)
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return {
    perSecond: uploads / seconds,
    bytesPerSecond: (uploads * plan.size) / seconds,
    loadSeconds,
    p50us: at(0.5),
    p99us: at(0.99),
    errors: uploads === 0 ? ['no upload succeeded', ...errors] : errors,
  }
}

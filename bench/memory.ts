import { writeFileSync } from 'node:fs'
import { memory, processTree } from './machine.ts'
import type { Server } from './server.ts'
import { spawnUpload } from './upload.ts'

const SAMPLE_MS = 20

export interface Peak {
  /** The kernel's own high-water mark of the service process. */
  main: number
  /** Greatest sum over the service and its helper processes, sampled. Counts shared pages once for each. */
  tree: number
  idle: number
  seconds: number
  errors: string[]
}

/** Peak memory of the service while `parallel` uploads of `size` bytes arrive at once. */
export async function measurePeak(server: Server, parallel: number, size: number): Promise<Peak> {
  // 5: the high-water mark begins anew, so that only what follows is measured (man 5 proc).
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
  const sum = () => processTree(server.pid).reduce((total, pid) => total + memory(pid, 'VmRSS'), 0)
  const idle = sum()
  let tree = idle
  const timer = setInterval(() => {
    tree = Math.max(tree, sum())
  }, SAMPLE_MS)
  try {
    const plan = { name: 'peak', size, parallel, seconds: 120, uploads: parallel, paths: 1 }
    const result = await spawnUpload(server, plan)
    const errors = [...result.errors]
    if (result.uploads !== parallel) errors.push(`${result.uploads} of ${parallel} uploads succeeded`)
    return { main: memory(server.pid, 'VmHWM'), tree, idle, seconds: result.seconds, errors }
  } finally {
    clearInterval(timer)
  }
}

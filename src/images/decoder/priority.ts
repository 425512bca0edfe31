/** Lowers the priority of the decoder: serving files comes first, and when memory runs out the kernel should end this process. */
import { readdirSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** At 10 the kernel was seen to let readers wait for up to 100 ms while pictures were made, at 15 for half of that (decision 0031). */
const NICENESS = 15

/** Each step may be forbidden or unknown on a system; the decoder works without it. */
export function lowerPriority(): void {
  attempt(() => setPriority(NICENESS))
  if (process.platform !== 'linux') return
  attempt(() => writeFileSync('/proc/self/oom_score_adj', '1000'))
  // Niceness belongs to a thread, and the runtime has begun some already; those that decode are begun by them later.
  attempt(() => {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), NICENESS)
  })
  // The decoder has a session of its own, and the kernel weighs sessions against each other before it looks at niceness
  // (sched(7), "autogroup").
  attempt(() => writeFileSync('/proc/self/autogroup', String(NICENESS)))
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {}
}

/**
 * The line between load and servers. Loopback has packets of 64 KB, which no client ever sees, and they
 * decide the result for large files: a body that is not joined to its head falls into one full and one tiny
 * packet per 64 KB. A virtual cable into a network namespace of our own has the packets of a real network.
 */

export interface Line {
  /** Where the load finds the servers. */
  address: string
  /** Put before the load's command. */
  wrapper: string[]
  description: string
  close(): void
}

const LOOPBACK: Line = {
  address: '127.0.0.1',
  wrapper: [],
  description: 'over loopback, packets of 64 KB',
  close() {},
}

/** Of the range kept for benchmarks (RFC 2544), which nothing else uses. */
const SERVER_SIDE = '198.18.77.1'
const LOAD_SIDE = '198.18.77.2'

/**
 * A cable where the machine lets us make one: Linux, root, `ip` of iproute2. Loopback else, or where it is
 * wanted.
 */
export function openLine(loopback: boolean): Line {
  if (loopback || process.getuid?.() !== 0 || !Bun.which('ip')) return LOOPBACK
  const namespace = `fundus-bench-${process.pid}`
  const [here, there] = [`fba${process.pid}`, `fbb${process.pid}`]
  const close = () => void Bun.spawnSync(['ip', 'netns', 'delete', namespace])
  const within = ['ip', 'netns', 'exec', namespace]
  const steps = [
    ['ip', 'netns', 'add', namespace],
    ['ip', 'link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', namespace],
    ['ip', 'address', 'add', `${SERVER_SIDE}/30`, 'dev', here],
    ['ip', 'link', 'set', here, 'up'],
    [...within, 'ip', 'address', 'add', `${LOAD_SIDE}/30`, 'dev', there],
    [...within, 'ip', 'link', 'set', there, 'up'],
  ]
  for (const step of steps) {
    const { exitCode, stderr } = Bun.spawnSync(step)
    if (exitCode === 0) continue
    close()
    console.log(`no cable (${step.join(' ')}: ${stderr.toString().trim()}), so over loopback`)
    return LOOPBACK
  }
  // A run that is broken off must leave no namespace behind; its end of the cable takes the other along.
  process.on('exit', close)
  return {
    address: SERVER_SIDE,
    wrapper: within,
    description: 'over a virtual cable, packets of 1500 bytes',
    close() {
      process.off('exit', close)
      close()
    },
  }
}

/**
 * A network namespace for a test, connected to this machine by a pair of virtual interfaces: for services
 * whose clients come from addresses other than loopback, and for disconnecting one. Only for root on Linux,
 * and only for test/many, which has no pages: when a machine gets an interface, Chromium aborts what it is
 * loading (ERR_NETWORK_CHANGED).
 */
import { toolOrFail } from './tools.ts'

export const findIp = () => Bun.which('ip')

/** The addresses of the two ends of a connection, in a network of 256 addresses. */
export interface Way {
  here: string
  inside: string
}

export interface Network extends AsyncDisposable {
  /** Prefix of the command of a service that is to run inside. */
  readonly wrapper: readonly string[]
  readonly ways: readonly [Way, Way]
  /** From now on no packet passes, and neither side is told. */
  cut(): void
  mend(): void
  /**
   * The same for one way only, so that a client can still reach a service that is cut off from its servers.
   */
  cutWay(which: 0 | 1): void
  mendWay(which: 0 | 1): void
}

/** Of no interface: packets to it are dropped. */
const NOBODY = '02:00:00:00:00:01'

function ip(...words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([toolOrFail('iproute2', findIp), ...words])
  if (exitCode !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr.toString().trim()}`)
}

export function openNetwork(): Network {
  const name = `fundus-${process.pid}`
  // The name of an interface has at most 15 characters.
  const [outer, inner] = [`fu${process.pid}o`, `fu${process.pid}i`]
  // Reserved for tests of network devices (RFC 2544): no machine routes these addresses.
  const wayIn = (network: number): Way => {
    const prefix = `198.${network}.${process.pid % 256}`
    return { here: `${prefix}.1`, inside: `${prefix}.2` }
  }
  const ways = [wayIn(18), wayIn(19)] as const
  const remove = () => {
    // Without this, the interfaces would disappear with the namespace, but some time later.
    for (const words of [
      ['link', 'delete', outer],
      ['netns', 'delete', name],
    ])
      Bun.spawnSync(['ip', ...words])
  }
  ip('netns', 'add', name)
  process.once('exit', remove)
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name)
  for (const { here, inside } of ways) {
    ip('address', 'add', `${here}/24`, 'dev', outer)
    ip('-n', name, 'address', 'add', `${inside}/24`, 'dev', inner)
  }
  ip('link', 'set', outer, 'up')
  for (const each of ['lo', inner]) ip('-n', name, 'link', 'set', each, 'up')
  return {
    wrapper: ['ip', 'netns', 'exec', name],
    ways,
    cut: () => ip('-n', name, 'link', 'set', inner, 'down'),
    mend: () => ip('-n', name, 'link', 'set', inner, 'up'),
    cutWay(which) {
      const { here, inside } = ways[which]
      ip('neighbour', 'replace', inside, 'lladdr', NOBODY, 'nud', 'permanent', 'dev', outer)
      ip('-n', name, 'neighbour', 'replace', here, 'lladdr', NOBODY, 'nud', 'permanent', 'dev', inner)
    },
    mendWay(which) {
      const { here, inside } = ways[which]
      ip('neighbour', 'delete', inside, 'dev', outer)
      ip('-n', name, 'neighbour', 'delete', here, 'dev', inner)
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', remove)
      remove()
    },
  }
}

/** Why no namespace can be created here, or null. */
export async function networkProblem(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  if (!findIp()) return 'needs iproute2'
  try {
    await using _probe = openNetwork()
    return null
  } catch (error) {
    return `namespaces of the network are refused here: ${error instanceof Error ? error.message : error}`
  }
}

/** Limits how many sign-ins and similar attempts are in progress, per network and in total. */
import { failure } from '../../../errors/errors.ts'
import { surroundingNetworkOf } from '../../../http/access/client-address.ts'

/**
 * Returns a function that runs a task for a client and passes the network of the client to the task. The
 * function rejects with 429 if too many tasks are in progress, for this network or in total. A client that
 * floods the service reaches the limit of its own network first, so that others can still sign in.
 */
export function createAttemptLimiter({
  perNetwork: maxPerNetwork,
  total: maxTotal,
}: {
  perNetwork: number
  total: number
}) {
  const countByNetwork = new Map<string, number>()
  let totalCount = 0
  return async <T>(client: string, task: (network: string) => Promise<T>): Promise<T> => {
    const network = surroundingNetworkOf(client)
    const networkCount = countByNetwork.get(network) ?? 0
    if (networkCount >= maxPerNetwork || totalCount >= maxTotal) throw failure.loginsCrowded()
    countByNetwork.set(network, networkCount + 1)
    totalCount++
    try {
      return await task(network)
    } finally {
      const remainingCount = countByNetwork.get(network)! - 1
      if (remainingCount > 0) countByNetwork.set(network, remainingCount)
      else countByNetwork.delete(network)
      totalCount--
    }
  }
}

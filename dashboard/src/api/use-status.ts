/** Queries `GET /status`, whose answer has a body even with status 503. */
import { useQuery } from '@tanstack/react-query'
import type { StatusAnswer } from '../../../src/contract/service/status.ts'
import { markConnected, markDisconnected } from './connection.ts'
import { ConnectionError, readError } from './error.ts'

/**
 * Milliseconds between two requests. The interval is long because the checks of the service write to its
 * disk.
 */
const POLL_INTERVAL_MS = 60_000

export const useStatus = () =>
  useQuery<StatusAnswer, Error>({
    queryKey: ['status'],
    queryFn: fetchStatus,
    refetchInterval: POLL_INTERVAL_MS,
  })

async function fetchStatus({ signal }: { signal: AbortSignal }): Promise<StatusAnswer> {
  const response = await fetch('/status', { signal, headers: { Accept: 'application/json' } }).catch(
    error => {
      if (signal.aborted) throw error
      markDisconnected()
      throw new ConnectionError('The service could not be reached.', { cause: error })
    },
  )
  markConnected()
  const answer: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  if (typeof answer === 'object' && answer !== null && 'stand' in answer) return answer as StatusAnswer
  throw await readError(response)
}

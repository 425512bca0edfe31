/** `GET /status`, which answers with a body also when it says 503. */
import { useQuery } from '@tanstack/react-query'
import { errorFrom } from '../api/error.ts'

/** The checks write to disk; oftener tells nothing new. */
const ASK_EVERY = 60_000

export interface Check {
  was: 'datenbank' | 'platte' | 'ausliefern' | 'bestand' | 'platz' | 'sicherung'
  ok: boolean
  /** Why it fails. */
  grund?: string
  /** Of the backup: at how many places the last archive lies. */
  hinweis?: string
}

export interface Status {
  dienst: string
  stand: 'gesund' | 'beeintraechtigt' | 'gestoert'
  /** Seconds since the start. */
  seit: number
  pruefungen: Check[]
}

export const useStatus = () =>
  useQuery<Status, Error>({ queryKey: ['status'], queryFn: ask, refetchInterval: ASK_EVERY })

async function ask({ signal }: { signal: AbortSignal }): Promise<Status> {
  const response = await fetch('/status', { signal, headers: { Accept: 'application/json' } })
  const answer: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  if (typeof answer === 'object' && answer !== null && 'stand' in answer) return answer as Status
  throw await errorFrom(response)
}

/** Shows the answer of a query, a skeleton until it arrives, and an error with a retry button. */
import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'

export interface QueryResultProps<Answer> {
  query: { data: Answer | undefined; error: Error | null; refetch(): unknown }
  /** A skeleton of about the size of the answer. */
  skeleton: ReactNode
  children(answer: Answer): ReactNode
}

export function QueryResult<Answer>({
  query: { data, error, refetch },
  skeleton,
  children,
}: QueryResultProps<Answer>) {
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && skeleton}
      {data && children(data)}
    </>
  )
}

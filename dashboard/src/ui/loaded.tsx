/** Shows the answer of a query; until then a skeleton, and after an error a retry. */
import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'

export interface LoadedProps<Answer> {
  query: { data: Answer | undefined; error: Error | null; refetch(): unknown }
  /** A skeleton, as large as the answer will be. */
  waiting: ReactNode
  children(answer: Answer): ReactNode
}

export function Loaded<Answer>({ query: { data, error, refetch }, waiting, children }: LoadedProps<Answer>) {
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && waiting}
      {data && children(data)}
    </>
  )
}

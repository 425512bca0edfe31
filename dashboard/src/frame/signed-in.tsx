/** Shows its content to those who have a session; everyone else is led to the login page by the failed request. */
import type { ReactNode } from 'react'
import { ApiError } from '../api/error.ts'
import { useGet } from '../api/use-get.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'

export function SignedIn({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useGet('ich')
  if (data) return children
  if (error && !(error instanceof ApiError && error.status === 401)) {
    return <ErrorNotice error={error} onRetry={refetch} />
  }
  return null
}

/**
 * The names of tokens by id. Empty until they are loaded, and always empty for accounts that are not
 * operators: only operators can see tokens.
 */
import { useMemo } from 'react'
import { useGet } from '../../api/use-get.ts'
import { hasMinimumRole } from '../../state/rights.ts'

export function useTokenNames(): ReadonlyMap<string, string> {
  const { data } = useGet('tokens', { enabled: hasMinimumRole('betreiber') })
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data])
}

/**
 * The names of tokens by id; empty until they are loaded, and for accounts that are not operators, which
 * cannot see tokens.
 */
import { useMemo } from 'react'
import { useGet } from '../../api/use-get.ts'
import { may } from '../../state/rights.ts'

export function useTokenNames(): ReadonlyMap<string, string> {
  const { data } = useGet('tokens', { enabled: may('betreiber') })
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data])
}

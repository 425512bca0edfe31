/** The list of names, the pattern, and the result of the comparison. List and pattern survive a reload. */
import { useDebouncedValue, useSessionStorage } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { lowerCaseAscii } from '../../../../src/contract/paths/paths.ts'
import { NAMES_MAX } from '../../../../src/contract/values/limits.ts'
import { post } from '../../api/client.ts'
import { personalKey } from '../../state/session.ts'
import { namesOf } from './names/names-of.ts'
import { nameFor, patternFault } from './pattern.ts'

/** Milliseconds after the last keystroke until the comparison is requested. */
const PAUSE = 250

/**
 * Numbers the comparisons. The number is the query key, since a key with tens of thousands of names would be
 * compared at every render.
 */
let questions = 0

export interface MissingState {
  /** The list as it was pasted. */
  text: string
  pattern: string
  /** Whether the names are compared in lower case. */
  small: boolean
}

const INITIAL: MissingState = { text: '', pattern: 'items/*.png', small: false }

export function useMissing() {
  const [state, setState] = useSessionStorage({
    key: personalKey('fehlende'),
    defaultValue: INITIAL,
    getInitialValueInEffect: false,
    sync: false,
  })
  const change = (next: Partial<MissingState>) => setState(before => ({ ...before, ...next }))
  const { text, pattern, small } = state
  const found = useMemo(() => namesOf(text), [text])
  const names = useMemo(() => {
    const meant = found.names.map(name => nameFor(pattern, small ? lowerCaseAscii(name) : name))
    return [...new Set(meant)].slice(0, NAMES_MAX)
  }, [found, pattern, small])
  const fault = patternFault(pattern)
  const question = useMemo(() => ({ muster: pattern, namen: names, nr: ++questions }), [pattern, names])
  const [asked] = useDebouncedValue(question, PAUSE)
  const enabled = asked.namen.length > 0 && patternFault(asked.muster) === null
  const { data, error, refetch } = useQuery({
    // The key begins like that of the file list, so that this query too is refetched when a missing file is
    // uploaded.
    queryKey: ['media', 'fehlende', asked.nr],
    queryFn: ({ signal }) => post('fehlende', { body: { muster: asked.muster, namen: asked.namen }, signal }),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 0,
  })
  return {
    state,
    change,
    found,
    names,
    fault,
    /** The pattern to which the result belongs. */
    compared: asked.muster,
    result: enabled && names.length > 0 && fault === null ? (data ?? null) : null,
    waiting: names.length > 0 && fault === null,
    error: enabled ? error : null,
    refetch,
  }
}

export type MissingComparison = ReturnType<typeof useMissing>

/**
 * The state of the page of missing files: the pasted names, the path pattern, and the result of comparing
 * them with the library. The input survives a reload.
 */
import { useSessionStorage } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { lowerCaseAscii } from '../../../../src/contract/paths/lower-case.ts'
import { NAMES_MAX } from '../../../../src/contract/values/input-limits.ts'
import { post } from '../../api/client.ts'
import { personalKey } from '../../state/session.ts'
import { extractNames } from './names/extract-names.ts'
import { nameOfEntry, patternFault } from './pattern.ts'

/** Milliseconds after the last change of the input until the comparison is requested. */
const TYPING_PAUSE_MS = 250

export interface MissingState {
  /** The list of names as it was pasted or typed. */
  text: string
  pattern: string
  /** Whether the names are turned into lower case before they are compared. */
  small: boolean
}

const INITIAL_STATE: MissingState = { text: '', pattern: 'items/*.png', small: false }

export function useMissingNames() {
  const [state, setState] = useSessionStorage({
    key: personalKey('fehlende'),
    defaultValue: INITIAL_STATE,
    getInitialValueInEffect: false,
    sync: false,
  })
  const changeState = (changes: Partial<MissingState>) =>
    setState(previousState => ({ ...previousState, ...changes }))
  const { text, pattern, small: isLowerCase } = state
  const foundNames = useMemo(() => extractNames(text), [text])
  const names = useMemo(() => {
    const comparedNames = foundNames.names.map(name =>
      nameOfEntry(pattern, isLowerCase ? lowerCaseAscii(name) : name),
    )
    return [...new Set(comparedNames)].slice(0, NAMES_MAX)
  }, [foundNames, pattern, isLowerCase])
  const fault = patternFault(pattern)
  const sentRequest = useDebouncedRequest(pattern, names)
  const enabled = sentRequest.namen.length > 0 && patternFault(sentRequest.muster) === null
  const { data, error, refetch } = useQuery({
    // The key begins like that of the file list, so that this query too is refetched when a missing file is
    // uploaded.
    queryKey: ['media', 'fehlende', sentRequest.requestNumber],
    queryFn: async ({ signal }) => {
      const { muster, namen } = sentRequest
      return { pattern: muster, result: await post('fehlende', { body: { muster, namen }, signal }) }
    },
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 0,
  })
  return {
    state,
    changeState,
    foundNames,
    names,
    fault,
    /**
     * The last result, with the pattern to which it belongs. It remains until the result for the current
     * input has arrived. Null before the first result, or if there is nothing to compare.
     */
    comparison: enabled && names.length > 0 && fault === null ? (data ?? null) : null,
    /** Whether there is something to compare: at least one name and a valid pattern. */
    hasInput: names.length > 0 && fault === null,
    error: enabled ? error : null,
    refetch,
  }
}

/**
 * The input for which the comparison is requested: the given input, delayed until the user pauses typing. The
 * query key contains `requestNumber` in place of the names, because a key with tens of thousands of names
 * would be serialised at every render.
 */
function useDebouncedRequest(pattern: string, names: string[]) {
  const [sentRequest, setSentRequest] = useState({ muster: pattern, namen: names, requestNumber: 0 })
  useEffect(() => {
    const timer = setTimeout(
      () =>
        setSentRequest(lastRequest =>
          lastRequest.muster === pattern && lastRequest.namen === names
            ? lastRequest
            : { muster: pattern, namen: names, requestNumber: lastRequest.requestNumber + 1 },
        ),
      TYPING_PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [pattern, names])
  return sentRequest
}

export type MissingComparison = ReturnType<typeof useMissingNames>

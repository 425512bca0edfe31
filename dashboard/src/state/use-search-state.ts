/**
 * Page state that is stored in the address, so that the back button and links restore it. Each parameter has
 * a parser and a default; a value equal to the default is omitted from the address.
 */
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'

export interface SearchParameter<T> {
  fallback: T
  read(text: string): T
}

export const textParameter = (fallback = ''): SearchParameter<string> => ({ fallback, read: value => value })

export const numberParameter = (fallback: number): SearchParameter<number> => ({
  fallback,
  read: value => (/^\d{1,9}$/.test(value) ? Number(value) : fallback),
})

export const flagParameter = (): SearchParameter<boolean> => ({
  fallback: false,
  read: value => value === '1',
})

export const oneOfParameter = <const T extends string | number, const F>(
  allowedValues: readonly T[],
  fallback: F,
): SearchParameter<T | F> => ({
  fallback,
  read: value => allowedValues.find(candidate => String(candidate) === value) ?? fallback,
})

type SearchShape = Record<string, SearchParameter<unknown>>
type SearchStateOf<S extends SearchShape> = {
  [K in keyof S]: S[K] extends SearchParameter<infer T> ? T : never
}
export type SetSearchState<S extends SearchShape> = (
  change: Partial<SearchStateOf<S>>,
  options?: { replace?: boolean },
) => void

/**
 * Returns the state in the address, and a function that changes it. `shape` must be defined outside of the
 * component, so that it is the same object at every rendering.
 */
export function useSearchState<S extends SearchShape>(shape: S): [SearchStateOf<S>, SetSearchState<S>] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const state = useMemo(() => readSearch(shape, search), [shape, search])
  const setState = useCallback<SetSearchState<S>>(
    (change, options) => {
      // Reads the current address, so that two changes in a row do not undo each other.
      const currentState = readSearch(shape, location.search)
      const nextQuery = writeSearch(shape, { ...currentState, ...change }, location.search)
      navigate(nextQuery === '' ? path : `${path}?${nextQuery}`, options)
    },
    [shape, path, navigate],
  )
  return [state, setState]
}

export function readSearch<S extends SearchShape>(shape: S, search: string): SearchStateOf<S> {
  const parameters = new URLSearchParams(search)
  const entries = Object.entries(shape).map(([name, { fallback, read }]) => {
    const value = parameters.get(name)
    return [name, value === null ? fallback : read(value)]
  })
  return Object.fromEntries(entries) as SearchStateOf<S>
}

/** The query string with this state; parameters of `search` that are not in the shape are kept. */
export function writeSearch<S extends SearchShape>(
  shape: S,
  state: Partial<SearchStateOf<S>>,
  search: string,
): string {
  const parameters = new URLSearchParams(search)
  for (const [name, { fallback }] of Object.entries(shape)) {
    const value = state[name]
    if (value === fallback || value === null || value === undefined || value === '') parameters.delete(name)
    else parameters.set(name, value === true ? '1' : String(value))
  }
  // Slashes are not escaped, which keeps paths readable.
  return parameters.toString().replaceAll('%2F', '/')
}

/**
 * What a page shows, kept in the address: back works and a link can be sent. Each parameter says how it is read and
 * what it is when left out; a default is not written.
 *
 *   const [state, setState] = useSearchState({ ordner: text(''), seite: number(1), art: oneOf(KINDS, null) })
 */
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'

export interface Parameter<T> {
  fallback: T
  read(text: string): T
}

export const text = (fallback = ''): Parameter<string> => ({ fallback, read: value => value })

export const number = (fallback: number): Parameter<number> => ({
  fallback,
  read: value => (/^\d{1,9}$/.test(value) ? Number(value) : fallback),
})

export const flag = (): Parameter<boolean> => ({ fallback: false, read: value => value === '1' })

export const oneOf = <const T extends string | number, const F>(
  allowed: readonly T[],
  fallback: F,
): Parameter<T | F> => ({
  fallback,
  read: value => allowed.find(each => String(each) === value) ?? fallback,
})

type Shape = Record<string, Parameter<unknown>>
type StateOf<S extends Shape> = { [K in keyof S]: S[K] extends Parameter<infer T> ? T : never }
export type SetState<S extends Shape> = (change: Partial<StateOf<S>>, options?: { replace?: boolean }) => void

/** `shape` must be the same at every call: a constant of the module. */
export function useSearchState<S extends Shape>(shape: S): [StateOf<S>, SetState<S>] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const state = useMemo(() => readSearch(shape, search), [shape, search])
  const setState = useCallback<SetState<S>>(
    (change, options) => {
      // Read from the address at this moment: two changes in a row must not undo each other.
      const now = readSearch(shape, location.search)
      const next = writeSearch(shape, { ...now, ...change }, location.search)
      navigate(next === '' ? path : `${path}?${next}`, options)
    },
    [shape, path, navigate],
  )
  return [state, setState]
}

export function readSearch<S extends Shape>(shape: S, search: string): StateOf<S> {
  const given = new URLSearchParams(search)
  const entries = Object.entries(shape).map(([name, { fallback, read }]) => {
    const value = given.get(name)
    return [name, value === null ? fallback : read(value)]
  })
  return Object.fromEntries(entries) as StateOf<S>
}

/** Parameters of somebody else in the same address stay. */
export function writeSearch<S extends Shape>(shape: S, state: Partial<StateOf<S>>, search: string): string {
  const params = new URLSearchParams(search)
  for (const [name, { fallback }] of Object.entries(shape)) {
    const value = state[name]
    if (value === fallback || value === null || value === undefined || value === '') params.delete(name)
    else params.set(name, value === true ? '1' : String(value))
  }
  // Slashes stay readable in a path within an address.
  return params.toString().replaceAll('%2F', '/')
}

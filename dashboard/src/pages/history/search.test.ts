import { expect, test } from 'bun:test'
import { readSearch } from '../../state/use-search-state.ts'
import { filterOf, HISTORY_PARAMETERS, isFiltered } from './search.ts'

const filter = (search: string) => filterOf(readSearch(HISTORY_PARAMETERS, search))

test.each([
  ['', {}],
  ['was=hochgeladen&wer=Token+Bot&pfad=clips/', { was: 'hochgeladen', wer: 'Token Bot', pfad: 'clips/' }],
  ['was=gezaubert', {}],
  ['von=gestern&bis=2026-1-1', {}],
  ['ansicht=verwaltung&seite=3', {}],
])('%j filters by %j', (search, expected) => expect(filter(search) as unknown).toEqual(expected))

test('from the first moment of a day to the last moment of another', () => {
  expect(filter('von=2026-11-14&bis=2026-11-15')).toEqual({
    von: new Date(2026, 10, 14).getTime(),
    bis: new Date(2026, 10, 16).getTime() - 1,
  })
})

test.each([
  ['', false],
  ['seite=2', false],
  ['ansicht=verwaltung', false],
  ['bis=2026-11-15', true],
  ['was=entfernt', true],
])('%j is filtered: %p', (search, expected) =>
  expect(isFiltered(readSearch(HISTORY_PARAMETERS, search))).toBe(expected),
)

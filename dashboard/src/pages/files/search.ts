/** What the address of the files page holds. */
import { KINDS } from '../../../../src/contract/kinds.ts'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, SORT_ORDERS } from '../../../../src/contract/limits.ts'
import { number, oneOf, text } from '../../hooks/use-search-state.ts'

export const SEARCH = {
  ordner: text(''),
  suche: text(''),
  art: oneOf(KINDS, undefined),
  sortierung: oneOf(SORT_ORDERS, 'name'),
  richtung: oneOf(['auf', 'ab'], 'auf'),
  seite: number(1),
  anzahl: oneOf(PAGE_SIZES, DEFAULT_PAGE_SIZE),
}

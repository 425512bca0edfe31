/**
 * The selection in a list, and the entry of the keyboard cursor. This is a store outside of React: components
 * subscribe to the part that they show (`useSelection`), so that a click rerenders two cards and not the
 * page. The selection is kept when another page of the same list is shown, and cleared when another list is
 * shown.
 */
import { useSyncExternalStore } from 'react'
import { createObservable } from './observable.ts'

type Key = string | number

interface State<Item, Whole> {
  chosen: ReadonlyMap<Key, Item>
  /** The whole list on all its pages, if it is selected instead of single entries. */
  whole: Whole | null
  /** The entry from which the next range starts, such as the one that was clicked last. */
  anchor: Key | null
  /** The entry that keys act on, and the Tab stop. */
  cursor: Key | null
  /** The entries of the shown page. */
  shown: readonly Item[]
  /** Identifies the list: showing another one clears the selection. */
  listKey: string
  /** The whole list, if it can be selected as such. */
  result: Whole | null
}

export type Selection<Item, Whole extends { total: number } = never> = ReturnType<
  typeof createSelection<Item, Whole>
>

/**
 * Rerenders the component when the value that `read` returns changes; it must be a primitive or a stable
 * object.
 */
export const useSelection = <Store extends Pick<Selection<never>, 'subscribe'>, Value>(
  selection: Store,
  read: (selection: Store) => Value,
): Value => useSyncExternalStore(selection.subscribe, () => read(selection))

export function createSelection<Item, Whole extends { total: number } = never>(keyOf: (item: Item) => Key) {
  const { get, set, subscribe } = createObservable<State<Item, Whole>>({
    ...{ chosen: new Map(), whole: null, anchor: null, cursor: null },
    ...{ shown: [], listKey: '', result: null },
  })
  const mapOf = (items: Iterable<Item>) => new Map([...items].map(item => [keyOf(item), item]))
  const indexOf = (key: Key | null) => get().shown.findIndex(item => keyOf(item) === key)
  /**
   * The selected entries, to which others are added or from which some are removed. If the whole list is
   * selected, these are the entries of the shown page.
   */
  const chosenEntries = () => (get().whole ? mapOf(get().shown) : get().chosen)
  const choose = (next: ReadonlyMap<Key, Item>, anchor = get().anchor) =>
    set({ ...get(), chosen: next, whole: null, anchor })
  /**
   * The entries from the anchor to this entry, or this entry alone if the anchor is not shown, and the index
   * of the entry at which the range starts.
   */
  const rangeBetween = (key: Key, anchor: Key | null) => {
    const [end, anchorIndex] = [indexOf(key), indexOf(anchor)]
    const start = anchorIndex < 0 ? end : anchorIndex
    const items = end < 0 ? [] : get().shown.slice(Math.min(start, end), Math.max(start, end) + 1)
    return { start, items }
  }
  const setChosen = (items: readonly Item[], areChosen: boolean, anchor?: Key) => {
    const next = new Map(chosenEntries())
    for (const item of items) {
      if (areChosen) next.set(keyOf(item), item)
      else next.delete(keyOf(item))
    }
    choose(next, anchor)
  }
  const isSelected = (key: Key) => get().whole !== null || get().chosen.has(key)
  const isPageSelected = () => get().shown.every(item => isSelected(keyOf(item)))
  return {
    subscribe,
    state: get,
    isSelected,
    isChoosing: () => get().whole !== null || get().chosen.size > 0,
    /** The selected entries, or the whole list if it is selected. */
    target: (): readonly Item[] | Whole => get().whole ?? [...get().chosen.values()],
    /** How much of the shown page is selected. */
    extent: () =>
      isPageSelected() ? 'all' : get().shown.some(item => isSelected(keyOf(item))) ? 'some' : 'none',
    isTabbable: (key: Key) => {
      const { shown, cursor } = get()
      const first = shown[0]
      return key === (indexOf(cursor) >= 0 ? cursor : first && keyOf(first))
    },
    setCursor(cursor: Key | null) {
      if (cursor !== get().cursor) set({ ...get(), cursor })
    },
    /**
     * Sets the entries of the shown page. If the list is the same as before, selected entries among them are
     * replaced by their newest data; otherwise the selection is cleared.
     */
    show(
      shown: readonly Item[],
      { listKey = '', result = null }: { listKey?: string; result?: Whole | null } = {},
    ) {
      const previous = get()
      const isSameList = previous.listKey === listKey
      const freshItems = shown.filter(item => previous.chosen.has(keyOf(item)))
      set({
        ...{ ...previous, shown, listKey, result },
        chosen: isSameList ? new Map([...previous.chosen, ...mapOf(freshItems)]) : new Map(),
        whole: isSameList && previous.whole && result && result.total > 0 ? result : null,
        anchor: isSameList ? previous.anchor : null,
      })
    },
    /** Selects this entry alone, as a plain click does. */
    selectOnly(key: Key) {
      choose(mapOf(rangeBetween(key, key).items), key)
    },
    /**
     * Toggles this entry, as its checkbox or a click with Ctrl does. With `isRange`, everything from the
     * anchor to this entry gets the new state of this entry.
     */
    toggle(key: Key, isRange = false) {
      setChosen(rangeBetween(key, isRange ? get().anchor : key).items, !chosenEntries().has(key), key)
    },
    /**
     * Selects everything from the anchor to this entry, as a click with Shift does; with `keep`, in addition
     * to the selection.
     */
    rangeTo(key: Key, keep = false, anchor = get().anchor) {
      if (indexOf(key) < 0) return
      const { start, items } = rangeBetween(key, anchor)
      choose(new Map([...(keep ? chosenEntries() : []), ...mapOf(items)]), keyOf(get().shown[start]!))
    },
    /** Selects or deselects the whole page. */
    setPage: (isChosen: boolean) => setChosen(get().shown, isChosen),
    /** Selects the whole page, or deselects it if it is already selected. */
    togglePage: () => setChosen(get().shown, !isPageSelected()),
    /**
     * While a rubber band is drawn: selects the entries that the band touches, in addition to
     * `chosenBefore`, the selection from before the drawing.
     */
    band(keys: ReadonlySet<Key>, chosenBefore: Iterable<[Key, Item]>) {
      const touchedItems = get().shown.filter(item => keys.has(keyOf(item)))
      choose(
        new Map([...chosenBefore, ...mapOf(touchedItems)]),
        touchedItems[0] ? keyOf(touchedItems[0]) : get().anchor,
      )
    },
    /**
     * Whether selecting the whole list can be offered: the whole page is selected, the list has more entries,
     * and it is not selected as a whole yet.
     */
    mayChooseWhole: () => {
      const { whole, chosen: chosenNow, result } = get()
      return whole === null && result !== null && chosenNow.size < result.total && isPageSelected()
    },
    chooseWhole: () => set({ ...get(), whole: get().result }),
    clear() {
      if (get().whole || get().chosen.size > 0) choose(new Map(), null)
    },
    /** Removes the entries for which `isGone` holds from the selection, such as deleted files. */
    deselectWhere(isGone: (item: Item) => boolean) {
      choose(mapOf([...chosenEntries().values()].filter(item => !isGone(item))))
    },
  }
}

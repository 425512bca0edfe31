/**
 * The selection in a list, and the entry of the keyboard cursor. This is a store outside of React. Components
 * subscribe to the part that they show (`useSelection`), so that a click rerenders only the affected cards.
 * The selection is kept when another page of the same list is shown, and cleared when another list is shown.
 */
import { useSyncExternalStore } from 'react'
import { createObservable } from './observable.ts'

type ItemKey = string | number

interface SelectionState<Item, Whole> {
  selectedItems: ReadonlyMap<ItemKey, Item>
  /** The description of the list on all its pages, if it is selected as a whole; otherwise null. */
  selectedList: Whole | null
  /** The entry from which the next range starts, such as the one that was clicked last. */
  anchor: ItemKey | null
  /**
   * The entry on which keys act. It is also the Tab stop; if it is not shown, the first shown entry is the
   * Tab stop.
   */
  cursor: ItemKey | null
  /** The entries of the shown page. */
  shownItems: readonly Item[]
  /** Identifies the list. Showing another list clears the selection. */
  listKey: string
  /**
   * Describes the list on all its pages, so that it can be selected as a whole; null if this is not possible.
   */
  wholeList: Whole | null
}

export type Selection<Item, Whole extends { total: number } = never> = ReturnType<
  typeof createSelection<Item, Whole>
>

/** Rerenders when the value that `read` returns changes; the value must be a primitive or a stable object. */
export const useSelection = <Store extends Pick<Selection<never>, 'subscribe'>, Value>(
  selection: Store,
  read: (selection: Store) => Value,
): Value => useSyncExternalStore(selection.subscribe, () => read(selection))

export function createSelection<Item, Whole extends { total: number } = never>(
  keyOf: (item: Item) => ItemKey,
) {
  const { get, set, subscribe } = createObservable<SelectionState<Item, Whole>>({
    selectedItems: new Map(),
    selectedList: null,
    anchor: null,
    cursor: null,
    shownItems: [],
    listKey: '',
    wholeList: null,
  })
  const mapByKey = (items: Iterable<Item>) => new Map([...items].map(item => [keyOf(item), item]))
  const indexOf = (key: ItemKey | null) => get().shownItems.findIndex(item => keyOf(item) === key)
  /**
   * The entries with which a change of the selection starts: the selected ones or, if the whole list is
   * selected, those of the shown page.
   */
  const selectedEntries = () => (get().selectedList ? mapByKey(get().shownItems) : get().selectedItems)
  const replaceSelection = (newItems: ReadonlyMap<ItemKey, Item>, anchor = get().anchor) =>
    set({ ...get(), selectedItems: newItems, selectedList: null, anchor })
  /**
   * The entries from the anchor to the entry `key`, and the index of the entry at which this range starts. If
   * the anchor is not shown, the range is the entry `key` alone; if that entry is not shown, the range is
   * empty.
   */
  const rangeBetween = (key: ItemKey, anchor: ItemKey | null) => {
    const [endIndex, anchorIndex] = [indexOf(key), indexOf(anchor)]
    const startIndex = anchorIndex < 0 ? endIndex : anchorIndex
    const items =
      endIndex < 0
        ? []
        : get().shownItems.slice(Math.min(startIndex, endIndex), Math.max(startIndex, endIndex) + 1)
    return { startIndex, items }
  }
  const setSelected = (items: readonly Item[], areSelected: boolean, anchor?: ItemKey) => {
    const newItems = new Map(selectedEntries())
    for (const item of items) {
      if (areSelected) newItems.set(keyOf(item), item)
      else newItems.delete(keyOf(item))
    }
    replaceSelection(newItems, anchor)
  }
  const isSelected = (key: ItemKey) => get().selectedList !== null || get().selectedItems.has(key)
  const isPageSelected = () => get().shownItems.every(item => isSelected(keyOf(item)))
  return {
    subscribe,
    state: get,
    isSelected,
    hasSelection: () => get().selectedList !== null || get().selectedItems.size > 0,
    /** The selected entries, or the whole list if it is selected. */
    getSelected: (): readonly Item[] | Whole => get().selectedList ?? [...get().selectedItems.values()],
    /** How much of the shown page is selected; `none` for an empty page. */
    pageExtent: () =>
      !get().shownItems.some(item => isSelected(keyOf(item))) ? 'none' : isPageSelected() ? 'all' : 'some',
    isTabbable: (key: ItemKey) => {
      const { shownItems, cursor } = get()
      const firstItem = shownItems[0]
      return key === (indexOf(cursor) >= 0 ? cursor : firstItem && keyOf(firstItem))
    },
    setCursor(cursor: ItemKey | null) {
      if (cursor !== get().cursor) set({ ...get(), cursor })
    },
    /**
     * Sets the entries of the shown page. If the list is the same as before, selected entries on the page are
     * replaced by their newest data, and a whole list that is selected stays selected unless it has become
     * empty; otherwise the selection is cleared.
     */
    show(
      shownItems: readonly Item[],
      { listKey = '', wholeList = null }: { listKey?: string; wholeList?: Whole | null } = {},
    ) {
      const previousState = get()
      const isSameList = previousState.listKey === listKey
      const freshItems = shownItems.filter(item => previousState.selectedItems.has(keyOf(item)))
      set({
        ...previousState,
        shownItems,
        listKey,
        wholeList,
        selectedItems: isSameList
          ? new Map([...previousState.selectedItems, ...mapByKey(freshItems)])
          : new Map(),
        selectedList:
          isSameList && previousState.selectedList && wholeList && wholeList.total > 0 ? wholeList : null,
        anchor: isSameList ? previousState.anchor : null,
      })
    },
    /** Selects this entry alone, as a plain click does. */
    selectOnly(key: ItemKey) {
      replaceSelection(mapByKey(rangeBetween(key, key).items), key)
    },
    /**
     * Toggles this entry, as its checkbox or a click with Ctrl does. With `isRange`, everything from the
     * anchor to this entry gets the new state of this entry.
     */
    toggle(key: ItemKey, isRange = false) {
      setSelected(rangeBetween(key, isRange ? get().anchor : key).items, !selectedEntries().has(key), key)
    },
    /**
     * Selects everything from the anchor to this entry, as a click with Shift does; with `extendsSelection`,
     * in addition to the selection. Does nothing if this entry is not shown.
     */
    selectRangeTo(key: ItemKey, extendsSelection = false, anchor = get().anchor) {
      if (indexOf(key) < 0) return
      const { startIndex, items } = rangeBetween(key, anchor)
      replaceSelection(
        new Map([...(extendsSelection ? selectedEntries() : []), ...mapByKey(items)]),
        keyOf(get().shownItems[startIndex]!),
      )
    },
    /** Selects or deselects the whole page. */
    setPageSelected: (areSelected: boolean) => setSelected(get().shownItems, areSelected),
    /** Selects the whole page, or deselects it if it is already selected. */
    togglePage: () => setSelected(get().shownItems, !isPageSelected()),
    /**
     * Called while a rubber band is drawn: selects the entries that the band touches, in addition to
     * `selectedBefore`, which were selected when the drawing began.
     */
    selectBand(keys: ReadonlySet<ItemKey>, selectedBefore: Iterable<[ItemKey, Item]>) {
      const touchedItems = get().shownItems.filter(item => keys.has(keyOf(item)))
      replaceSelection(
        new Map([...selectedBefore, ...mapByKey(touchedItems)]),
        touchedItems[0] ? keyOf(touchedItems[0]) : get().anchor,
      )
    },
    /**
     * Whether to offer selecting the whole list: the list can be selected as a whole but is not yet, the
     * whole page is selected, and the list has more entries than are selected.
     */
    maySelectWholeList: () => {
      const { selectedList, selectedItems, wholeList } = get()
      return (
        selectedList === null &&
        wholeList !== null &&
        selectedItems.size < wholeList.total &&
        isPageSelected()
      )
    },
    selectWholeList: () => set({ ...get(), selectedList: get().wholeList }),
    clear() {
      if (get().selectedList || get().selectedItems.size > 0) replaceSelection(new Map(), null)
    },
    /**
     * Removes the entries for which `isGone` returns true, such as deleted files, from the selection. If the
     * whole list was selected, the other entries of the shown page stay selected.
     */
    deselectWhere(isGone: (item: Item) => boolean) {
      replaceSelection(mapByKey([...selectedEntries().values()].filter(item => !isGone(item))))
    },
  }
}

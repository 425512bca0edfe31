/**
 * The selection in a list, and the entry of the keyboard cursor. A store outside of React: components
 * subscribe to the part that they show (`useSelection`), so that a click rerenders two cards and not the
 * page. The selection is kept when the page of the list changes; another listing clears it.
 */
import { useSyncExternalStore } from 'react'
import { createObservable } from './observable.ts'

type Key = string | number

interface State<Item, Whole> {
  chosen: ReadonlyMap<Key, Item>
  /** Instead of single entries: the whole list on all its pages. */
  whole: Whole | null
  /** The start of a range: the entry that was last selected by itself. */
  anchor: Key | null
  /** The entry that keys act on, and the Tab stop. */
  cursor: Key | null
  /** The entries of the shown page. */
  shown: readonly Item[]
  place: string
  /** The whole list, if all of it can be selected. */
  result: Whole | null
}

export type Selection<Item, Whole extends { total: number } = never> = ReturnType<
  typeof createSelection<Item, Whole>
>

/** A subscription; `read` must return a plain or stable value. */
export const useSelection = <Store extends Pick<Selection<never>, 'subscribe'>, Value>(
  selection: Store,
  read: (selection: Store) => Value,
): Value => useSyncExternalStore(selection.subscribe, () => read(selection))

export function createSelection<Item, Whole extends { total: number } = never>(keyOf: (item: Item) => Key) {
  const { get, set, subscribe } = createObservable<State<Item, Whole>>({
    ...{ chosen: new Map(), whole: null, anchor: null, cursor: null },
    ...{ shown: [], place: '', result: null },
  })
  const mapOf = (items: Iterable<Item>) => new Map([...items].map(item => [keyOf(item), item]))
  const indexOf = (key: Key | null) => get().shown.findIndex(item => keyOf(item) === key)
  /** Changing the selection of a whole result first reduces it to the entries of the page. */
  const chosen = () => (get().whole ? mapOf(get().shown) : get().chosen)
  const choose = (next: ReadonlyMap<Key, Item>, anchor = get().anchor) =>
    set({ ...get(), chosen: next, whole: null, anchor })
  /** From the anchor to this entry, or the entry alone if the anchor is not shown. */
  const between = (key: Key, anchor: Key | null) => {
    const [end, found] = [indexOf(key), indexOf(anchor)]
    const start = found < 0 ? end : found
    const items = end < 0 ? [] : get().shown.slice(Math.min(start, end), Math.max(start, end) + 1)
    return { start, items }
  }
  const change = (items: readonly Item[], isIn: boolean, anchor?: Key) => {
    const next = new Map(chosen())
    for (const item of items) {
      if (isIn) next.set(keyOf(item), item)
      else next.delete(keyOf(item))
    }
    choose(next, anchor)
  }
  const isSelected = (key: Key) => get().whole !== null || get().chosen.has(key)
  const isComplete = () => get().shown.every(item => isSelected(keyOf(item)))
  return {
    subscribe,
    state: get,
    isSelected,
    isChoosing: () => get().whole !== null || get().chosen.size > 0,
    /** The selected entries, or the whole result. */
    target: (): readonly Item[] | Whole => get().whole ?? [...get().chosen.values()],
    /** How much of the shown page is selected. */
    extent: () =>
      isComplete() ? 'all' : get().shown.some(item => isSelected(keyOf(item))) ? 'some' : 'none',
    isTabbable: (key: Key) => {
      const { shown, cursor } = get()
      const first = shown[0]
      return key === (indexOf(cursor) >= 0 ? cursor : first && keyOf(first))
    },
    setCursor(cursor: Key | null) {
      if (cursor !== get().cursor) set({ ...get(), cursor })
    },
    /** Updates what the list shows. Selected entries get their newest fields. */
    show(
      shown: readonly Item[],
      { place = '', result = null }: { place?: string; result?: Whole | null } = {},
    ) {
      const before = get()
      const isHere = before.place === place
      const fresh = shown.filter(item => before.chosen.has(keyOf(item)))
      set({
        ...{ ...before, shown, place, result },
        chosen: isHere ? new Map([...before.chosen, ...mapOf(fresh)]) : new Map(),
        whole: isHere && before.whole && result && result.total > 0 ? result : null,
        anchor: isHere ? before.anchor : null,
      })
    },
    /** Selects this entry alone, as a plain click does. */
    only(key: Key) {
      choose(mapOf(between(key, key).items), key)
    },
    /** Checkbox, or Ctrl and click. Range: everything from the anchor on gets the state of this entry. */
    toggle(key: Key, isRange = false) {
      change(between(key, isRange ? get().anchor : key).items, !chosen().has(key), key)
    },
    /** Shift and click: everything from the anchor to this entry; `keep`: in addition to the selection. */
    rangeTo(key: Key, keep = false, anchor = get().anchor) {
      if (indexOf(key) < 0) return
      const { start, items } = between(key, anchor)
      choose(new Map([...(keep ? chosen() : []), ...mapOf(items)]), keyOf(get().shown[start]!))
    },
    /** Selects all of the page, or none of it. */
    setPage: (isIn: boolean) => change(get().shown, isIn),
    /** Selects the page, or deselects it if all of it is selected. */
    togglePage: () => change(get().shown, !isComplete()),
    /** While a rubber band is drawn: selects what it touches and `before`, the selection when it began. */
    band(keys: ReadonlySet<Key>, before: Iterable<[Key, Item]>) {
      const touched = get().shown.filter(item => keys.has(keyOf(item)))
      choose(new Map([...before, ...mapOf(touched)]), touched[0] ? keyOf(touched[0]) : get().anchor)
    },
    /** The whole page is selected, and the list has more. */
    mayChooseWhole: () => {
      const { whole, chosen: now, result } = get()
      return whole === null && result !== null && now.size < result.total && isComplete()
    },
    chooseWhole: () => set({ ...get(), whole: get().result }),
    clear() {
      if (get().whole || get().chosen.size > 0) choose(new Map(), null)
    },
    forget(isGone: (item: Item) => boolean) {
      choose(mapOf([...chosen().values()].filter(item => !isGone(item))))
    },
  }
}

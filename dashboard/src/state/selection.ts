/**
 * What is chosen in a list, and which entry the keyboard is at. A store outside of React: components watch the part of
 * it that they show (`useSelection`), so that a key or a click draws two cards anew and not the whole page. What was
 * chosen stays when the page is turned; another place empties it.
 */
import { useSyncExternalStore } from 'react'
import { createObservable } from './observable.ts'

type Key = string | number

interface State<Item, Whole> {
  chosen: ReadonlyMap<Key, Item>
  /** Chosen instead of single entries: everything that the list has on all its pages. */
  whole: Whole | null
  /** Where a range begins: the entry that was chosen last by itself. */
  anchor: Key | null
  /** The entry that keys act on; the Tab key reaches it. */
  cursor: Key | null
  /** The entries of the page that is shown. */
  shown: readonly Item[]
  place: string
  /** Everything that the list has, where all of it can be chosen. */
  result: Whole | null
}

export type Selection<Item, Whole extends { total: number } = never> = ReturnType<
  typeof createSelection<Item, Whole>
>

/** What a component shows of a selection; `read` must answer a plain value, or one that stays the same. */
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
  /** Any change of a whole result goes back to the entries of the page. */
  const chosen = () => (get().whole ? mapOf(get().shown) : get().chosen)
  const choose = (next: ReadonlyMap<Key, Item>, anchor = get().anchor) =>
    set({ ...get(), chosen: next, whole: null, anchor })
  /** From the anchor to this entry, or the entry alone where the anchor is not shown. */
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
    /** The chosen entries, or the whole result. */
    target: (): readonly Item[] | Whole => get().whole ?? [...get().chosen.values()],
    /** Of the page that is shown. */
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
    /** What the list shows now. Entries that were chosen get their newest fields. */
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
    /** A click. */
    only(key: Key) {
      choose(mapOf(between(key, key).items), key)
    },
    /** The box of an entry, Ctrl and a click; as a range everything from the anchor on becomes like this entry. */
    toggle(key: Key, isRange = false) {
      change(between(key, isRange ? get().anchor : key).items, !chosen().has(key), key)
    },
    /** Shift and a click: everything from the anchor to this entry; `keep`: in addition to what was chosen. */
    rangeTo(key: Key, keep = false, anchor = get().anchor) {
      if (indexOf(key) < 0) return
      const { start, items } = between(key, anchor)
      choose(new Map([...(keep ? chosen() : []), ...mapOf(items)]), keyOf(get().shown[start]!))
    },
    /** All of the page, or none of it. */
    setPage: (isIn: boolean) => change(get().shown, isIn),
    /** All of the page; where all of it is chosen already, none of it. */
    togglePage: () => change(get().shown, !isComplete()),
    /** The rubber band: what it touches, and `before` what was chosen when it began. */
    band(keys: ReadonlySet<Key>, before: Iterable<[Key, Item]>) {
      const touched = get().shown.filter(item => keys.has(keyOf(item)))
      choose(new Map([...before, ...mapOf(touched)]), touched[0] ? keyOf(touched[0]) : get().anchor)
    },
    /** All of the page is chosen, and the list has more. */
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

/** For each file id, the React key of the element that shows the file. */
export type CardSlots = ReadonlyMap<string, number>

/**
 * Assigns an element, named by its React key, to each file id. If none of the files was shown before, the
 * existing elements are reused: updating sixty cards is less work than creating sixty. If some files stay,
 * they keep their elements, and new files get new elements: a reused element would move the focus from a
 * deleted file to another one.
 */
export function recycleSlots(slotsBefore: CardSlots, ids: readonly string[]): CardSlots {
  const freeSlots = ids.some(id => slotsBefore.has(id)) ? [] : [...slotsBefore.values()]
  let nextSlot = Math.max(-1, ...slotsBefore.values()) + 1
  return new Map(ids.map(id => [id, slotsBefore.get(id) ?? freeSlots.shift() ?? nextSlot++]))
}

/** For each file id, the React key of the element that shows the file. */
export type Slots = ReadonlyMap<string, number>

/**
 * Assigns elements to the files with these ids. If no file stays, all elements are reused: updating sixty
 * cards is less work than creating sixty. If some files stay, they keep their elements, and new files get new
 * elements: a reused element would move the focus from a deleted file to another one.
 */
export function recycleSlots(slotsBefore: Slots, ids: readonly string[]): Slots {
  const freeSlots = ids.some(id => slotsBefore.has(id)) ? [] : [...slotsBefore.values()]
  let nextSlot = Math.max(-1, ...slotsBefore.values()) + 1
  return new Map(ids.map(id => [id, slotsBefore.get(id) ?? freeSlots.shift() ?? nextSlot++]))
}

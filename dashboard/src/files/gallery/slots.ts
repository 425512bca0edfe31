/** For each file id, the number of the element that shows the file. */
export type Slots = ReadonlyMap<string, number>

/**
 * Assigns elements to files. If no file stays, all elements are reused: changing sixty cards is less work
 * than creating sixty. If some files stay, each of them keeps its element, and new files get new elements: a
 * reused element would move the focus from a deleted file to another one.
 */
export function recycleSlots(before: Slots, ids: readonly string[]): Slots {
  const free = ids.some(id => before.has(id)) ? [] : [...before.values()]
  let next = Math.max(-1, ...before.values()) + 1
  return new Map(ids.map(id => [id, before.get(id) ?? free.shift() ?? next++]))
}

/** Ids with the elements that show them, by number. */
export type Slots = ReadonlyMap<string, number>

/**
 * Which element shows which file. On another page, where no file is the same, the elements are taken over: changing
 * sixty cards is less work than making sixty others. Where some stay, each keeps its element and new files get new
 * ones: an element that was taken over would carry the focus of a deleted file to another place.
 */
export function recycled(before: Slots, ids: readonly string[]): Slots {
  const free = ids.some(id => before.has(id)) ? [] : [...before.values()]
  let next = Math.max(-1, ...before.values()) + 1
  return new Map(ids.map(id => [id, before.get(id) ?? free.shift() ?? next++]))
}

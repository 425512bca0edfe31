/**
 * Merges a new answer into a list on screen, which must not move because another client uploads files. Shown
 * files keep their order. New files are appended at the end, until the user asks for them, changes the page
 * or changes something.
 */
interface HasId {
  id: string
}

export interface StillList<File extends HasId> {
  files: readonly File[]
  /** New files that are not at their sorted position yet. */
  waiting: readonly string[]
}

/**
 * Merges the files of a new answer (`fresh`) into the shown list. `placed` are new files that are at their
 * position already.
 */
export function mergeFiles<File extends HasId>(
  shown: StillList<File>,
  fresh: readonly File[],
  placed: readonly File[] = [],
): StillList<File> {
  const now = new Map(fresh.map(file => [file.id, file]))
  const stayed = shown.files.flatMap(({ id }) => now.get(id) ?? [])
  const before = new Set(shown.files.map(({ id }) => id))
  const added = fresh.filter(({ id }) => !before.has(id))
  const files = [...stayed, ...added]
  // The shown order is that of the answer, for example because all new files are at the end.
  if (files.every(({ id }, at) => id === fresh[at]?.id)) return { files: fresh, waiting: [] }
  const inPlace = new Set(placed.map(({ id }) => id))
  const late = added.filter(({ id }) => !inPlace.has(id))
  const waiting = [...shown.waiting.filter(id => now.has(id)), ...late.map(({ id }) => id)]
  return { files, waiting }
}

/**
 * A list on screen must not move because a bot uploads something. Shown files keep their order; new ones come
 * at the end until the user requests them, changes the page or changes something.
 */
interface HasId {
  id: string
}

export interface StillList<File extends HasId> {
  files: readonly File[]
  /** New files that are not at their sorted position yet. */
  waiting: readonly string[]
}

/** `placed`: new files that are at their place already. */
export function settle<File extends HasId>(
  shown: StillList<File>,
  fresh: readonly File[],
  placed: readonly File[] = [],
): StillList<File> {
  const now = new Map(fresh.map(file => [file.id, file]))
  const stayed = shown.files.flatMap(({ id }) => now.get(id) ?? [])
  const before = new Set(shown.files.map(({ id }) => id))
  const added = fresh.filter(({ id }) => !before.has(id))
  const files = [...stayed, ...added]
  // All new files are at their sorted position already, such as at the end.
  if (files.every(({ id }, at) => id === fresh[at]?.id)) return { files: fresh, waiting: [] }
  const inPlace = new Set(placed.map(({ id }) => id))
  const late = added.filter(({ id }) => !inPlace.has(id))
  const waiting = [...shown.waiting.filter(id => now.has(id)), ...late.map(({ id }) => id)]
  return { files, waiting }
}

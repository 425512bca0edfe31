/**
 * Merges a new answer into the list on screen, which must not move when another client uploads files. Shown
 * files keep their order, and new files are appended at the end. New files move to their sorted position when
 * the user asks for this, opens another page or changes files.
 */
interface HasId {
  id: string
}

export interface StableList<File extends HasId> {
  files: readonly File[]
  /** The ids of new files that are not at their sorted position yet. */
  waitingIds: readonly string[]
}

/**
 * Merges the files of a new answer (`answerFiles`) into the shown list. `placedFiles` are new files that
 * already are at their sorted position, because they belong to a page that was added below the list.
 */
export function mergeFiles<File extends HasId>(
  shownList: StableList<File>,
  answerFiles: readonly File[],
  placedFiles: readonly File[] = [],
): StableList<File> {
  const answerFilesById = new Map(answerFiles.map(file => [file.id, file]))
  const remainingFiles = shownList.files.flatMap(({ id }) => answerFilesById.get(id) ?? [])
  const shownIds = new Set(shownList.files.map(({ id }) => id))
  const addedFiles = answerFiles.filter(({ id }) => !shownIds.has(id))
  const files = [...remainingFiles, ...addedFiles]
  // If the merged order is that of the answer, for example because all new files are at the end, no file is
  // waiting for its sorted position.
  if (files.every(({ id }, index) => id === answerFiles[index]?.id))
    return { files: answerFiles, waitingIds: [] }
  const placedIds = new Set(placedFiles.map(({ id }) => id))
  const unplacedFiles = addedFiles.filter(({ id }) => !placedIds.has(id))
  const waitingIds = [
    ...shownList.waitingIds.filter(id => answerFilesById.has(id)),
    ...unplacedFiles.map(({ id }) => id),
  ]
  return { files, waitingIds }
}

/** The file whose path is in a parameter of the address, with its neighbours in the list. */
import { ApiError } from '../../api/error.ts'
import { useGet } from '../../api/use-get.ts'
import type { FileAnswer } from '../types.ts'

export type OpenedFile = ReturnType<typeof useOpenedFile>

export function useOpenedFile(path: string, files: readonly FileAnswer[]) {
  const index = files.findIndex(file => file.path === path)
  const listedFile = files[index]
  // A file in the list is not requested again: the list is up to date.
  const { data, error, refetch } = useGet(`media/${path}`, { enabled: path !== '' && !listedFile })
  /** Whether there is no such file: it was deleted or renamed, or the link is old. */
  const isGone = !listedFile && error instanceof ApiError && error.status === 404
  return {
    /** The id of the file; null if it is not in the list. */
    listedId: listedFile?.id ?? null,
    file: listedFile ?? (isGone ? undefined : data),
    isGone,
    error: listedFile || isGone ? null : error,
    retry: () => void refetch(),
    previousFile: index > 0 ? files[index - 1] : undefined,
    nextFile: index >= 0 ? files[index + 1] : undefined,
  }
}

/** The file that the address names, with its neighbours on the page. */
import { ApiError } from '../../api/error.ts'
import { useGet } from '../../api/use-get.ts'
import type { FileAnswer } from '../types.ts'

export type OpenedFile = ReturnType<typeof useOpenedFile>

export function useOpenedFile(path: string, files: readonly FileAnswer[]) {
  const at = files.findIndex(file => file.path === path)
  const listed = files[at]
  // The file is requested only if it is not in the list, which is refetched at every change.
  const { data, error, refetch } = useGet(`media/${path}`, { enabled: path !== '' && !listed })
  /** The file was deleted or renamed, or the link is old. */
  const gone = !listed && error instanceof ApiError && error.status === 404
  return {
    /** The id of the file, if it is on the shown page. */
    listed: listed?.id ?? null,
    file: listed ?? (gone ? undefined : data),
    gone,
    error: listed || gone ? null : error,
    retry: () => void refetch(),
    previous: at > 0 ? files[at - 1] : undefined,
    next: at >= 0 ? files[at + 1] : undefined,
  }
}

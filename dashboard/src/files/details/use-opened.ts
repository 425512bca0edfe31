/** The file in the address, with its neighbours on the page. */
import { ApiError } from '../../api/error.ts'
import { useGet } from '../../api/use-get.ts'
import type { FileAnswer } from '../types.ts'

export type OpenedFile = ReturnType<typeof useOpened>

export function useOpened(path: string, files: readonly FileAnswer[]) {
  const at = files.findIndex(file => file.path === path)
  const listed = files[at]
  // The list is refetched at every change, so a file in it needs no request of its own.
  const { data, error, refetch } = useGet(`media/${path}`, { enabled: path !== '' && !listed })
  /** Deleted or renamed meanwhile, or an old link. */
  const gone = !listed && error instanceof ApiError && error.status === 404
  return {
    /** The file's id, if it is on the shown page. */
    listed: listed?.id ?? null,
    file: listed ?? (gone ? undefined : data),
    gone,
    error: listed || gone ? null : error,
    retry: () => void refetch(),
    previous: at > 0 ? files[at - 1] : undefined,
    next: at >= 0 ? files[at + 1] : undefined,
  }
}

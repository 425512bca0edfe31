/** The file in the address, with its neighbours on the page. */
import { ApiError } from '../../api/error.ts'
import { useGet } from '../../api/use-get.ts'
import type { FileAnswer } from '../types.ts'

export interface Opened {
  file: FileAnswer | undefined
  /** The file's id, if it is on the shown page. */
  listed: string | null
  /** Deleted or renamed meanwhile, or an old link. */
  gone: boolean
  error: Error | null
  retry(): void
  previous: FileAnswer | undefined
  next: FileAnswer | undefined
}

export function useOpened(path: string, files: readonly FileAnswer[]): Opened {
  const at = files.findIndex(file => file.path === path)
  const listed = files[at]
  // The list is refetched at every change, so a file in it needs no request of its own.
  const { data, error, refetch } = useGet(`media/${path}`, { enabled: path !== '' && !listed })
  const gone = !listed && error instanceof ApiError && error.status === 404
  return {
    listed: listed?.id ?? null,
    file: listed ?? (gone ? undefined : data),
    gone,
    error: listed || gone ? null : error,
    retry: () => void refetch(),
    previous: at > 0 ? files[at - 1] : undefined,
    next: at >= 0 ? files[at + 1] : undefined,
  }
}

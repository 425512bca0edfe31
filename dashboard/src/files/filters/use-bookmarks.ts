/** The pinned folders and saved filters of the account, which the service stores. */
import { put } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useNotify } from '../../ui/notify.tsx'
import { filterWords } from './words.ts'

interface Bookmarks {
  ordner: string[]
  filter: { name: string; abfrage: string }[]
}

const NO_BOOKMARKS: Bookmarks = { ordner: [], filter: [] }

export function useBookmarks() {
  const { data } = useGet('merkzettel')
  const refresh = useRefresh()
  const bookmarks: Bookmarks = data ?? NO_BOOKMARKS
  const save = async (newBookmarks: Bookmarks) => {
    await put('merkzettel', { body: newBookmarks })
    await refresh('merkzettel')
  }
  return { bookmarks, save }
}

export function usePinFolder(): (folder: string) => void {
  const w = useWords(filterWords)
  const notify = useNotify()
  const { bookmarks, save } = useBookmarks()
  return folder => {
    const folders = [...bookmarks.ordner.filter(path => path !== folder), folder]
    save({ ...bookmarks, ordner: folders }).then(
      () => notify.showSuccess(w.pinned(nameOf(folder))),
      (error: Error) => notify.showError(error),
    )
  }
}

/** Exchanges the current version of a file for an earlier one from the trash. */
import type { TrashEntryOnWire } from '../../../../src/contract/files/trash.ts'
import { get } from '../../api/client.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useNotify } from '../../ui/notify.tsx'
import { detailsWords } from '../words.ts'
import { exchangeWithTrashEntry } from './restore.ts'

/** Returns a function that restores the version, shows errors as notices, and offers an undo. */
export function useRestoreVersion() {
  const w = useWords(detailsWords)
  const notify = useNotify()
  const refresh = useRefresh()
  const exchangeVersion = (entryNumber: number) =>
    exchangeWithTrashEntry(entryNumber).finally(() => refresh(...FILE_QUERIES))

  return async ({ nr, path }: TrashEntryOnWire): Promise<void> => {
    try {
      await exchangeVersion(nr)
    } catch (error) {
      return notify.showError(error as Error)
    }
    notify.offerUndo(w.broughtBack(nameOf(path)), async () => {
      // The file that was replaced is the newest trash entry of the path.
      const { eintraege } = await get('papierkorb', { query: { pfad: path } })
      if (eintraege[0]) await exchangeVersion(eintraege[0].nr)
    })
  }
}

/** Actions on files and folders. Each reports the changed addresses and offers to undo itself. */
import { useQueryClient } from '@tanstack/react-query'
import { post } from '../../../api/client.ts'
import { useTexts } from '../../../language/language.tsx'
import { useNotify } from '../../../parts/notify.tsx'
import { folderOf, nameOf } from '../../../parts/paths.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import { numbersBelow, refusal, restoreFromTrash } from './restore.ts'
import { askFolderRetrievals, retrievalsOf, useRetrievalSentences } from './retrievals.ts'

/** First parts of the keys of all queries that show or count files. */
const AFFECTED = ['media', 'folders', 'papierkorb', 'verlauf', 'uebersicht', 'tokens']

export interface Refused {
  pfad: string
  grund: string
}

export interface Actions {
  /** Shows its own failures, as does the next. */
  remove(files: readonly FileAnswer[]): Promise<void>
  removeFolder(folder: string): Promise<void>
  /** From here on failures are thrown and refusals answered: the dialog stays open and shows them. */
  rename(file: FileAnswer, name: string): Promise<void>
  move(files: readonly FileAnswer[], folder: string): Promise<readonly Refused[]>
  renameFolder(folder: string, name: string): Promise<void>
  moveFolder(folder: string, target: string): Promise<void>
}

export interface ActionEvents {
  /** Called before the listing is requested anew. */
  onChange(): void
  /** New path of each file by its former path; null for a deleted file. */
  onPaths(changes: ReadonlyMap<string, string | null>): void
  /** A folder got another path; null when it was deleted. */
  onFolder(folder: string, now: string | null): void
}

export function useActions({ onChange, onPaths, onFolder }: ActionEvents): Actions {
  const { w, format } = useTexts(actionWords)
  const notify = useNotify()
  const queries = useQueryClient()
  const say = useRetrievalSentences()

  /** Waits until the address has followed to the new path, since a request for the former path would fail. */
  const refresh = async () => {
    onChange()
    await new Promise(resolve => setTimeout(resolve))
    await queries.invalidateQueries({ predicate: ({ queryKey }) => AFFECTED.includes(String(queryKey[0])) })
  }
  const takeBack = (message: string, work: () => Promise<unknown>) =>
    notify.undo(message, async () => {
      await work()
      await refresh()
    })
  const shown = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      notify.failed(error as Error)
    }
  }
  const count = (files: number) => format.number(files)

  return {
    remove: files =>
      shown(async () => {
        const pfade = files.map(({ path }) => path)
        const { geloescht, nummern, abgelehnt } = await post('media/loeschen', { body: { pfade } })
        const gone = new Set(geloescht)
        onPaths(new Map(geloescht.map(path => [path, null])))
        void refresh()
        for (const { pfad, grund } of abgelehnt) notify.refused(`${nameOf(pfad)}: ${grund}`)
        if (geloescht.length === 0) return
        const what =
          geloescht.length === 1 ? w.deleted(nameOf(geloescht[0]!)) : w.deletedMany(count(geloescht.length))
        const sentence = say.told(retrievalsOf(files.filter(({ path }) => gone.has(path))))
        takeBack(`${what} ${sentence}`, () => restoreFromTrash(nummern))
      }),

    removeFolder: folder =>
      shown(async () => {
        const before = await askFolderRetrievals(queries, folder)
        const { dateien } = await post('folders/loeschen', { body: { ordner: folder } })
        onFolder(folder, null)
        void refresh()
        const what = w.folderDeleted(nameOf(folder), dateien, count(dateien))
        takeBack(`${what} ${say.told(before)}`, async () =>
          restoreFromTrash(await numbersBelow(folder, dateien)),
        )
      }),

    async rename(file, name) {
      const { alt, path } = await post('media/umbenennen', { body: { pfad: file.path, name } })
      onPaths(new Map([[alt, path]]))
      void refresh()
      takeBack(`${w.renamed(nameOf(alt), name)} ${say.after(retrievalsOf([file]))}`, async () => {
        await post('media/umbenennen', { body: { pfad: path, name: nameOf(alt) } })
        onPaths(new Map([[path, alt]]))
      })
    },

    async move(files, folder) {
      const pfade = files.map(({ path }) => path).filter(path => folderOf(path) !== folder)
      if (pfade.length === 0) return []
      const { verschoben, abgelehnt } = await post('media/verschieben', { body: { pfade, ordner: folder } })
      onPaths(new Map(verschoben.map(({ von, nach }) => [von, nach])))
      void refresh()
      if (verschoben.length > 0) {
        const where = folder === '' ? w.top : folder
        const what =
          verschoben.length === 1
            ? w.moved(nameOf(verschoben[0]!.von), where)
            : w.movedMany(count(verschoben.length), where)
        const moved = new Set(verschoben.map(({ von }) => von))
        const sentence = say.after(retrievalsOf(files.filter(({ path }) => moved.has(path))))
        takeBack(`${what} ${sentence}`, () => moveBack(verschoben))
      }
      return abgelehnt
    },

    async renameFolder(folder, name) {
      const before = await askFolderRetrievals(queries, folder)
      const { ordner } = await post('folders/umbenennen', { body: { ordner: folder, name } })
      onFolder(folder, ordner)
      void refresh()
      takeBack(`${w.renamed(nameOf(folder), name)} ${say.after(before)}`, async () => {
        await post('folders/umbenennen', { body: { ordner, name: nameOf(folder) } })
        onFolder(ordner, folder)
      })
    },

    async moveFolder(folder, target) {
      const before = await askFolderRetrievals(queries, folder)
      const { ordner } = await post('folders/verschieben', { body: { ordner: folder, ziel: target } })
      onFolder(folder, ordner)
      void refresh()
      const what = w.moved(nameOf(folder), target === '' ? w.top : target)
      takeBack(`${what} ${say.after(before)}`, async () => {
        await post('folders/verschieben', { body: { ordner, ziel: folderOf(folder) } })
        onFolder(ordner, folder)
      })
    },
  }
}

/** The moved files may have come from many folders, when a search had found them. */
async function moveBack(moved: readonly { von: string; nach: string }[]): Promise<void> {
  const byFolder = Map.groupBy(moved, ({ von }) => folderOf(von))
  for (const [ordner, files] of byFolder) {
    const pfade = files.map(({ nach }) => nach)
    const { abgelehnt } = await post('media/verschieben', { body: { pfade, ordner } })
    if (abgelehnt[0]) throw refusal(abgelehnt[0].grund)
  }
}

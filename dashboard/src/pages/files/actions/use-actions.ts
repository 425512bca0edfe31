/** Actions on files and folders. Each reports the changed addresses and offers to undo itself. */
import { useQueryClient } from '@tanstack/react-query'
import { act, post } from '../../../api/client.ts'
import { takeBack } from '../../../api/take-back.ts'
import { SHOWS_FILES, useRefresh } from '../../../api/use-refresh.ts'
import { useTexts } from '../../../language/language.tsx'
import { useNotify } from '../../../parts/notify.tsx'
import { folderOf, nameOf } from '../../../parts/paths.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import { restoreFromTrash } from './restore.ts'
import { askFolderRetrievals, retrievalsOf, useRetrievalSentences } from './retrievals.ts'

export interface Refused {
  pfad: string
  grund: string
  code: string
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

export function useActions(events: ActionEvents): Actions {
  const tools = useTools(events)
  return { ...fileActions(tools, events), ...folderActions(tools, events) }
}

type Tools = ReturnType<typeof useTools>

/** What every action needs: words, requests anew, notices with an undo. */
function useTools({ onChange }: ActionEvents) {
  const { w, format } = useTexts(actionWords)
  const notify = useNotify()
  const queries = useQueryClient()
  const askAgain = useRefresh()
  const say = useRetrievalSentences()
  /** Waits until the address has followed to the new path, since a request for the former path would fail. */
  const refresh = async () => {
    onChange()
    await new Promise(resolve => setTimeout(resolve))
    await askAgain(...SHOWS_FILES)
  }
  return {
    w,
    say,
    notify,
    refresh,
    count: format.number,
    retrievalsBelow: (folder: string) => askFolderRetrievals(queries, folder),
    /** Reports what was done, and takes it back when asked to. */
    offerUndo: (message: string, undo: () => Promise<unknown>) =>
      notify.undo(message, async () => {
        await undo()
        await refresh()
      }),
    /** Shows a failure as a notice. */
    shown: (work: () => Promise<void>) => work().catch((error: Error) => notify.failed(error)),
  }
}

type FileActions = Pick<Actions, 'remove' | 'rename' | 'move'>

function fileActions(tools: Tools, { onPaths }: ActionEvents): FileActions {
  const { w, say, notify, refresh, count, offerUndo, shown } = tools
  const retrievalsAt = (files: readonly FileAnswer[], paths: readonly string[]) => {
    const wanted = new Set(paths)
    return retrievalsOf(files.filter(({ path }) => wanted.has(path)))
  }
  return {
    remove: files =>
      shown(async () => {
        const pfade = files.map(({ path }) => path)
        const { geloescht, nummern, abgelehnt } = await post('media/loeschen', { body: { pfade } })
        onPaths(new Map(geloescht.map(path => [path, null])))
        void refresh()
        for (const { pfad, grund, code } of abgelehnt) notify.refused(grund, { code, about: nameOf(pfad) })
        const [first, ...more] = geloescht
        if (first === undefined) return
        const what = more.length === 0 ? w.deleted(nameOf(first)) : w.deletedMany(count(geloescht.length))
        const sentence = say.told(retrievalsAt(files, geloescht))
        offerUndo(`${what} ${sentence}`, () => restoreFromTrash(nummern))
      }),

    async rename(file, name) {
      const { alt, path } = await post('media/umbenennen', { body: { pfad: file.path, name } })
      onPaths(new Map([[alt, path]]))
      void refresh()
      offerUndo(`${w.renamed(nameOf(alt), name)} ${say.after(retrievalsOf([file]))}`, async () => {
        await post('media/umbenennen', { body: { pfad: path, name: nameOf(alt) } })
        onPaths(new Map([[path, alt]]))
      })
    },

    async move(files, folder) {
      const pfade = files.map(({ path }) => path).filter(path => folderOf(path) !== folder)
      if (pfade.length === 0) return []
      const { answer, action } = await act('media/verschieben', { body: { pfade, ordner: folder } })
      const { verschoben, abgelehnt } = answer
      onPaths(new Map(verschoben.map(({ von, nach }) => [von, nach])))
      void refresh()
      const [first, ...more] = verschoben
      if (first) {
        const where = folder || w.top
        const what =
          more.length === 0 ? w.moved(nameOf(first.von), where) : w.movedMany(count(verschoben.length), where)
        const moved = verschoben.map(({ von }) => von)
        offerUndo(`${what} ${say.after(retrievalsAt(files, moved))}`, () => takeBack(action))
      }
      return abgelehnt
    },
  }
}

type FolderActions = Pick<Actions, 'removeFolder' | 'renameFolder' | 'moveFolder'>

function folderActions(tools: Tools, { onFolder }: ActionEvents): FolderActions {
  const { w, say, refresh, count, retrievalsBelow, offerUndo, shown } = tools
  /** The folder has another path now. Undoing takes back what came: a folder that it was merged into stays as it was. */
  const followed = (folder: string, now: string, message: string, action: string | null) => {
    onFolder(folder, now)
    void refresh()
    offerUndo(message, async () => {
      await takeBack(action)
      onFolder(now, folder)
    })
  }
  return {
    removeFolder: folder =>
      shown(async () => {
        const before = await retrievalsBelow(folder)
        const { dateien, nummern } = await post('folders/loeschen', { body: { ordner: folder } })
        onFolder(folder, null)
        void refresh()
        const what = w.folderDeleted(nameOf(folder), dateien, count(dateien))
        offerUndo(`${what} ${say.told(before)}`, () => restoreFromTrash(nummern))
      }),

    async renameFolder(folder, name) {
      const before = await retrievalsBelow(folder)
      const { answer, action } = await act('folders/umbenennen', { body: { ordner: folder, name } })
      const message = `${w.renamed(nameOf(folder), name)} ${say.after(before)}`
      followed(folder, answer.ordner, message, action)
    },

    async moveFolder(folder, target) {
      const before = await retrievalsBelow(folder)
      const { answer, action } = await act('folders/verschieben', { body: { ordner: folder, ziel: target } })
      const message = `${w.moved(nameOf(folder), target || w.top)} ${say.after(before)}`
      followed(folder, answer.ordner, message, action)
    },
  }
}

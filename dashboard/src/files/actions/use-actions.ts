/**
 * Actions on files and folders. Each one reports how often the changed addresses were retrieved, and offers
 * an undo.
 */
import { useQueryClient } from '@tanstack/react-query'
import { type PartwiseRoutes, post, postAction, postForParts } from '../../api/client.ts'
import { undoAction } from '../../api/undo.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts } from '../../language/language.tsx'
import { folderOf, nameOf } from '../../state/paths.ts'
import { type TakeBack, useNotify } from '../../ui/notify.tsx'
import {
  changeBody,
  countOf,
  type FileTarget,
  isFolder,
  isWhole,
  singleFileOf,
  type Target,
} from '../target.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import { restoreFromTrash } from './restore.ts'
import { fetchRetrievals, retrievalsOf, useRetrievalSentences } from './retrievals.ts'

export interface RefusedFile {
  pfad: string
  grund: string
  code: string
}

export interface Actions {
  /** Moves the target to the trash. Errors are shown as notices. */
  remove(target: Target): Promise<void>
  /** Renames a folder or a single file. Rejects on errors, which the dialog shows. */
  rename(target: Target, name: string): Promise<void>
  /** Resolves to the refused files. Rejects on errors, which the dialog shows. */
  move(target: Target, folder: string): Promise<readonly RefusedFile[]>
}

export interface ActionEvents {
  /** Called before the listing is refetched. */
  onChange(): void
  /** Called with the new path of each file by its former path; null for a deleted file. */
  onPaths(changes: ReadonlyMap<string, string | null>): void
  /** Called when a folder was renamed or moved; `now` is null if it was deleted. */
  onFolder(folder: string, now: string | null): void
}

export function useActions(events: ActionEvents): Actions {
  const tools = useTools(events)
  const [files, folders] = [fileActions(tools, events), folderActions(tools, events)]
  return {
    remove: target => tools.shown(() => (isFolder(target) ? folders.remove(target) : files.remove(target))),
    rename: (target, name) =>
      isFolder(target) ? folders.rename(target, name) : files.rename(singleFileOf(target)!, name),
    move: (target, folder) => (isFolder(target) ? folders.move(target, folder) : files.move(target, folder)),
  }
}

type Tools = ReturnType<typeof useTools>

/** The tools that every action needs: texts, refetching, notices with an undo. */
function useTools({ onChange }: ActionEvents) {
  const { w, format } = useTexts(actionWords)
  const notify = useNotify()
  const queries = useQueryClient()
  const askAgain = useRefresh()
  const say = useRetrievalSentences()
  /**
   * Refetches the lists after the page has updated its address, since a request for a former path would fail.
   */
  const refresh = async () => {
    onChange()
    await new Promise(resolve => setTimeout(resolve))
    await askAgain(...FILE_QUERIES)
  }
  return {
    w,
    say,
    notify,
    refresh,
    count: format.number,
    retrievals: (target: Target) => fetchRetrievals(queries, target),
    change: useChange(),
    /** Shows a notice about what was done, with an undo. */
    offerUndo: (message: string, undo: TakeBack, files = 1) =>
      notify.undo(message, report => undo(report).finally(refresh), files),
    /** Shows an error of `work` as a notice. Some changes may have been made before the error. */
    shown: (work: () => Promise<void>) =>
      work().catch((error: Error) => {
        notify.failed(error)
        void refresh()
      }),
  }
}

interface Change<Shape extends { answer: unknown }> {
  label: string
  more?: object
  /** Returns the number of files in this part. */
  onPart(part: Shape['answer']): number
}

/**
 * Returns a function that changes files and resolves to the id of the action. Changing a whole result shows
 * its progress and can be stopped.
 */
function useChange() {
  const notify = useNotify()
  return async <Path extends keyof PartwiseRoutes>(
    path: Path,
    target: FileTarget,
    { label, more, onPart }: Change<PartwiseRoutes[Path]>,
  ): Promise<string | null> => {
    const stop = new AbortController()
    const progress = isWhole(target) ? notify.progress(label, target.total, () => stop.abort()) : null
    try {
      return await postForParts(path, {
        body: { ...changeBody(target), ...more } as PartwiseRoutes[Path]['body'],
        signal: stop.signal,
        onPart: part => {
          const files = onPart(part)
          progress?.add(files)
        },
      })
    } finally {
      progress?.end()
    }
  }
}

function fileActions(tools: Tools, { onPaths }: ActionEvents) {
  const { w, say, notify, refresh, count, retrievals, change, offerUndo } = tools
  return {
    async remove(target: FileTarget): Promise<void> {
      const before = await retrievals(target)
      const nummern: number[] = []
      const geloescht: string[] = []
      await change('media/loeschen', target, {
        label: w.deleting,
        onPart(part) {
          nummern.push(...part.nummern)
          geloescht.push(...part.geloescht)
          notify.refusedAll(part.abgelehnt)
          return part.geloescht.length
        },
      })
      onPaths(new Map(geloescht.map(path => [path, null])))
      void refresh()
      const [first, ...more] = geloescht
      if (first === undefined) return
      const what = more.length === 0 ? w.deleted(nameOf(first)) : w.deletedMany(count(geloescht.length))
      offerUndo(`${what} ${say.told(before)}`, report => restoreFromTrash(nummern, report), nummern.length)
    },

    async rename(file: FileAnswer, name: string): Promise<void> {
      const { alt, path } = await post('media/umbenennen', { body: { pfad: file.path, name } })
      onPaths(new Map([[alt, path]]))
      void refresh()
      offerUndo(`${w.renamed(nameOf(alt), name)} ${say.after(retrievalsOf([file]))}`, async () => {
        await post('media/umbenennen', { body: { pfad: path, name: nameOf(alt) } })
        onPaths(new Map([[path, alt]]))
      })
    },

    async move(target: FileTarget, folder: string): Promise<readonly RefusedFile[]> {
      const chosen = isWhole(target) ? target : target.filter(({ path }) => folderOf(path) !== folder)
      if (countOf(chosen) === 0) return []
      const before = await retrievals(chosen)
      const moved: { von: string; nach: string }[] = []
      const refused: RefusedFile[] = []
      const action = await change('media/verschieben', chosen, {
        label: w.moving,
        more: { ordner: folder },
        onPart(part) {
          moved.push(...part.verschoben)
          // Files of a whole result that are already at the target do not count as refused.
          refused.push(...part.abgelehnt.filter(({ code }) => !isWhole(chosen) || code !== 'already-there'))
          return part.verschoben.length + part.abgelehnt.length
        },
      })
      onPaths(new Map(moved.map(({ von, nach }) => [von, nach])))
      void refresh()
      const [first, ...others] = moved
      if (first) {
        const where = folder || w.top
        const what =
          others.length === 0 ? w.moved(nameOf(first.von), where) : w.movedMany(count(moved.length), where)
        offerUndo(`${what} ${say.after(before)}`, report => undoAction(action, report), moved.length)
      }
      return refused
    },
  }
}

interface MovedFolder {
  answer: { ordner: string; dateien: number }
  action: string | null
}

function folderActions(tools: Tools, { onFolder }: ActionEvents) {
  const { w, say, refresh, count, retrievals, offerUndo } = tools
  /**
   * Called when a folder has a new path. The undo moves back the files that were moved; if the folder was
   * merged into another one, files that were there before stay there.
   */
  const followed = (folder: string, { answer, action }: MovedFolder, message: string) => {
    onFolder(folder, answer.ordner)
    void refresh()
    const undo: TakeBack = async report => {
      await undoAction(action, report)
      onFolder(answer.ordner, folder)
    }
    offerUndo(message, undo, answer.dateien)
  }
  return {
    async remove(folder: string): Promise<void> {
      const before = await retrievals(folder)
      const { dateien, nummern } = await post('folders/loeschen', { body: { ordner: folder } })
      onFolder(folder, null)
      void refresh()
      const what = w.folderDeleted(nameOf(folder), w.folderFiles(dateien, count(dateien)))
      offerUndo(`${what} ${say.told(before)}`, report => restoreFromTrash(nummern, report), dateien)
    },

    async rename(folder: string, name: string): Promise<void> {
      const before = await retrievals(folder)
      const done = await postAction('folders/umbenennen', { body: { ordner: folder, name } })
      followed(folder, done, `${w.renamed(nameOf(folder), name)} ${say.after(before)}`)
    },

    async move(folder: string, ziel: string): Promise<readonly RefusedFile[]> {
      const before = await retrievals(folder)
      const done = await postAction('folders/verschieben', { body: { ordner: folder, ziel } })
      followed(folder, done, `${w.moved(nameOf(folder), ziel || w.top)} ${say.after(before)}`)
      return []
    },
  }
}

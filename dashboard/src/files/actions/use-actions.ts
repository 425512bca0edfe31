/**
 * Actions on files and folders. If an action has changed something, a notice states how often the changed
 * addresses were retrieved, and offers an undo.
 */
import { useQueryClient } from '@tanstack/react-query'
import { type PartwiseRoutes, post, postAction, postForParts } from '../../api/client.ts'
import { undoAction } from '../../api/undo.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts } from '../../language/language.tsx'
import { folderOf, nameOf } from '../../state/paths.ts'
import { type UndoChange, useNotify } from '../../ui/notify.tsx'
import {
  bodyForChange,
  type FileTarget,
  fileCountOf,
  isFolder,
  isWholeResult,
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
  /** Moves the target and resolves to the refused files. Rejects on errors, which the dialog shows. */
  move(target: Target, folder: string): Promise<readonly RefusedFile[]>
}

export interface ActionEvents {
  /**
   * Called after a change, after an undo and after a failed deletion, before the lists of files are
   * refetched.
   */
  onChange(): void
  /**
   * Called with a map from the former path of each changed file to its new path, or to null if it was
   * deleted.
   */
  onPathsChanged(changes: ReadonlyMap<string, string | null>): void
  /** Called when a folder was renamed, moved or deleted; `newPath` is null if it was deleted. */
  onFolderChanged(folder: string, newPath: string | null): void
}

export function useActions(events: ActionEvents): Actions {
  const tools = useActionHelpers(events)
  const [fileActions, folderActions] = [createFileActions(tools, events), createFolderActions(tools, events)]
  return {
    remove: target =>
      tools.withErrorNotice(() =>
        isFolder(target) ? folderActions.remove(target) : fileActions.remove(target),
      ),
    rename: (target, name) =>
      isFolder(target) ? folderActions.rename(target, name) : fileActions.rename(singleFileOf(target)!, name),
    move: (target, folder) =>
      isFolder(target) ? folderActions.move(target, folder) : fileActions.move(target, folder),
  }
}

type ActionTools = ReturnType<typeof useActionHelpers>

/** What all actions share, such as refetching and notices with an undo. */
function useActionHelpers({ onChange }: ActionEvents) {
  const { w, format } = useTexts(actionWords)
  const notify = useNotify()
  const queryClient = useQueryClient()
  const refetch = useRefresh()
  const retrievalSentences = useRetrievalSentences()
  /** Refetches the lists after the page has updated its address: a request for a former path would fail. */
  const refresh = async () => {
    onChange()
    await new Promise(resolve => setTimeout(resolve))
    await refetch(...FILE_QUERIES)
  }
  return {
    w,
    retrievalSentences,
    notify,
    refresh,
    formatCount: format.number,
    countRetrievals: (target: Target) => fetchRetrievals(queryClient, target),
    changeFiles: useChangeFiles(),
    /** Shows a notice about what was done, with an undo. */
    offerUndo: (message: string, undo: UndoChange, fileCount = 1) =>
      notify.offerUndo(message, report => undo(report).finally(refresh), fileCount),
    /** Shows an error of `action` as a notice, and refetches: changes may have been made before the error. */
    withErrorNotice: (action: () => Promise<void>) =>
      action().catch((error: Error) => {
        notify.showError(error)
        void refresh()
      }),
  }
}

interface ChangeOptions<Shape extends { answer: unknown }> {
  label: string
  extraFields?: object
  /** Called with each part of the answer; returns the number of files by which the progress advances. */
  onPart(answerPart: Shape['answer']): number
}

/**
 * Returns a function that changes files and resolves to the id of the action, which undo needs, or to null if
 * the service has sent no id. For a whole result the function shows the progress, with a button to stop.
 */
function useChangeFiles() {
  const notify = useNotify()
  return async <Path extends keyof PartwiseRoutes>(
    path: Path,
    target: FileTarget,
    { label, extraFields, onPart }: ChangeOptions<PartwiseRoutes[Path]>,
  ): Promise<string | null> => {
    const abortController = new AbortController()
    const progress = isWholeResult(target)
      ? notify.progress(label, target.total, () => abortController.abort())
      : null
    try {
      return await postForParts(path, {
        body: { ...bodyForChange(target), ...extraFields } as PartwiseRoutes[Path]['body'],
        signal: abortController.signal,
        onPart: answerPart => {
          const fileCount = onPart(answerPart)
          progress?.add(fileCount)
        },
      })
    } finally {
      progress?.end()
    }
  }
}

function createFileActions(tools: ActionTools, { onPathsChanged }: ActionEvents) {
  const { w, retrievalSentences, notify, refresh, formatCount, countRetrievals, changeFiles, offerUndo } =
    tools
  return {
    async remove(target: FileTarget): Promise<void> {
      const retrievalsBefore = await countRetrievals(target)
      const entryNumbers: number[] = []
      const deletedPaths: string[] = []
      await changeFiles('media/loeschen', target, {
        label: w.deleting,
        onPart(answerPart) {
          entryNumbers.push(...answerPart.nummern)
          deletedPaths.push(...answerPart.geloescht)
          notify.showRefusals(answerPart.abgelehnt)
          return answerPart.geloescht.length
        },
      })
      onPathsChanged(new Map(deletedPaths.map(path => [path, null])))
      void refresh()
      const [firstPath, ...morePaths] = deletedPaths
      if (firstPath === undefined) return
      const message =
        morePaths.length === 0
          ? w.deleted(nameOf(firstPath))
          : w.deletedMany(formatCount(deletedPaths.length))
      offerUndo(
        `${message} ${retrievalSentences.sentenceAfterDeletion(retrievalsBefore)}`,
        report => restoreFromTrash(entryNumbers, report),
        entryNumbers.length,
      )
    },

    async rename(file: FileAnswer, name: string): Promise<void> {
      const { alt, path } = await post('media/umbenennen', { body: { pfad: file.path, name } })
      onPathsChanged(new Map([[alt, path]]))
      void refresh()
      offerUndo(
        `${w.renamed(nameOf(alt), name)} ${retrievalSentences.sentenceAfterChange(retrievalsOf([file]))}`,
        async () => {
          await post('media/umbenennen', { body: { pfad: path, name: nameOf(alt) } })
          onPathsChanged(new Map([[path, alt]]))
        },
      )
    },

    async move(target: FileTarget, folder: string): Promise<readonly RefusedFile[]> {
      const filesToMove = isWholeResult(target)
        ? target
        : target.filter(({ path }) => folderOf(path) !== folder)
      if (fileCountOf(filesToMove) === 0) return []
      const retrievalsBefore = await countRetrievals(filesToMove)
      const movedFiles: { von: string; nach: string }[] = []
      const refusedFiles: RefusedFile[] = []
      const actionId = await changeFiles('media/verschieben', filesToMove, {
        label: w.moving,
        extraFields: { ordner: folder },
        onPart(answerPart) {
          movedFiles.push(...answerPart.verschoben)
          // If a whole result is moved, files that already are in the folder do not count as refused.
          refusedFiles.push(
            ...answerPart.abgelehnt.filter(
              ({ code }) => !isWholeResult(filesToMove) || code !== 'already-there',
            ),
          )
          return answerPart.verschoben.length + answerPart.abgelehnt.length
        },
      })
      onPathsChanged(new Map(movedFiles.map(({ von, nach }) => [von, nach])))
      void refresh()
      const [firstFile, ...otherFiles] = movedFiles
      if (firstFile) {
        const folderName = folder || w.top
        const message =
          otherFiles.length === 0
            ? w.moved(nameOf(firstFile.von), folderName)
            : w.movedMany(formatCount(movedFiles.length), folderName)
        offerUndo(
          `${message} ${retrievalSentences.sentenceAfterChange(retrievalsBefore)}`,
          report => undoAction(actionId, report),
          movedFiles.length,
        )
      }
      return refusedFiles
    },
  }
}

interface FolderMoveOutcome {
  answer: { ordner: string; dateien: number }
  action: string | null
}

function createFolderActions(tools: ActionTools, { onFolderChanged }: ActionEvents) {
  const { w, retrievalSentences, refresh, formatCount, countRetrievals, offerUndo } = tools
  /**
   * Called when the service has renamed or moved a folder. The undo moves back only the files that were
   * moved: if the folder was merged into an existing one, the files that were there before the merge stay.
   */
  const finishMove = (folder: string, { answer, action: actionId }: FolderMoveOutcome, message: string) => {
    onFolderChanged(folder, answer.ordner)
    void refresh()
    const undo: UndoChange = async report => {
      await undoAction(actionId, report)
      onFolderChanged(answer.ordner, folder)
    }
    offerUndo(message, undo, answer.dateien)
  }
  return {
    async remove(folder: string): Promise<void> {
      const retrievalsBefore = await countRetrievals(folder)
      const { dateien, nummern } = await post('folders/loeschen', { body: { ordner: folder } })
      onFolderChanged(folder, null)
      void refresh()
      const message = w.folderDeleted(nameOf(folder), w.folderFiles(dateien, formatCount(dateien)))
      offerUndo(
        `${message} ${retrievalSentences.sentenceAfterDeletion(retrievalsBefore)}`,
        report => restoreFromTrash(nummern, report),
        dateien,
      )
    },

    async rename(folder: string, name: string): Promise<void> {
      const retrievalsBefore = await countRetrievals(folder)
      const outcome = await postAction('folders/umbenennen', { body: { ordner: folder, name } })
      finishMove(
        folder,
        outcome,
        `${w.renamed(nameOf(folder), name)} ${retrievalSentences.sentenceAfterChange(retrievalsBefore)}`,
      )
    },

    async move(folder: string, targetFolder: string): Promise<readonly RefusedFile[]> {
      const retrievalsBefore = await countRetrievals(folder)
      const outcome = await postAction('folders/verschieben', {
        body: { ordner: folder, ziel: targetFolder },
      })
      finishMove(
        folder,
        outcome,
        `${w.moved(nameOf(folder), targetFolder || w.top)} ${retrievalSentences.sentenceAfterChange(retrievalsBefore)}`,
      )
      return []
    },
  }
}

/**
 * Short notices: what was done (with a button to undo it, if that is possible), the progress of long tasks,
 * and errors that have no better place.
 */
import { Box, Button, Group, Text } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { useTexts } from '../language/language.tsx'
import { useServiceText } from '../language/service-text.ts'
import { newId } from '../state/new-id.ts'
import { ProgressBar } from './charts/progress-bar.tsx'
import { useErrorText } from './error-notice.tsx'
import { words } from './words.ts'

/** Milliseconds for which undo is offered: long enough to notice a mistake. */
const UNDO_OFFER_MS = 12_000
const FAILURE_NOTICE_MS = 8000

/**
 * Functions that undo the changes that can still be undone, the latest last. Each press of Ctrl+Z runs the
 * last one, even if its notice is no longer shown.
 */
let undoActions: readonly (() => Promise<void>)[] = []

export const undoLatest = () => undoActions.at(-1)?.()

/** The id of the notice that is shown, by kind of notice. */
const noticeIdsByKind = new Map<string, string>()

/**
 * Shows a notice in place of the former one of the same kind, so that notices do not pile up. Returns the id
 * of the notice.
 */
function replaceNotice(kind: string, notice: NotificationData): string {
  const id = newId()
  const previousId = noticeIdsByKind.get(kind)
  noticeIdsByKind.set(kind, id)
  notifications.show({
    ...notice,
    id,
    onClose: () => {
      if (noticeIdsByKind.get(kind) === id) noticeIdsByKind.delete(kind)
    },
  })
  if (previousId !== undefined) notifications.hide(previousId)
  return id
}

export interface Notifier {
  /** Confirms that something was done. */
  showSuccess(message: string): void
  showError(error: Error): void
  /** Shows a sentence that says what was refused or has failed. `fileName`: the file that it is about. */
  showRefusal(sentence: string, options?: { code?: string; fileName?: string }): void
  /** Shows the refusals of one action: the first ones are listed, the others only counted. */
  showRefusals(refusals: readonly { pfad: string; grund: string; code: string }[]): void
  /**
   * Shows the progress of a long task until `end` is called. If `onStop` is given, the notice has a button
   * that calls it to stop the task.
   */
  progress(label: string, total: number, onStop?: () => void): ProgressHandle
  /** Confirms a change, such as „3 Dateien gelöscht.“, and offers to undo it for some seconds. */
  offerUndo(message: string, undo: UndoChange, fileCount?: number): void
  /** Runs a function that undoes a change, and shows its progress if there are many files. */
  runUndo(undo: UndoChange, fileCount: number): Promise<void>
}

/**
 * A function that undoes a change. It calls `reportProgress` with the number of files that were changed back
 * since the last call.
 */
export type UndoChange = (reportProgress: (fileCount: number) => void) => Promise<unknown>

/** Progress is shown while a change to more files than this is undone. */
const MAX_FILES_WITHOUT_PROGRESS = 1000

export interface ProgressHandle {
  add(count: number): void
  end(): void
}

const MAX_LISTED_REFUSALS = 3

export function useNotify(): Notifier {
  const { w, format } = useTexts(words)
  const errorTextOf = useErrorText()
  const translate = useServiceText()
  const showNotice = (kind: string, notice: NotificationData) =>
    replaceNotice(kind, { closeButtonProps: { 'aria-label': w.close }, ...notice })
  const showError = (error: Error) => showRefusal(errorTextOf(error))
  const showRefusal: Notifier['showRefusal'] = (reason, { code, fileName } = {}) => {
    const message =
      fileName === undefined ? translate(reason, code) : `${fileName}: ${translate(reason, code)}`
    // The message itself is used as the kind, so that another failure does not replace this notice before it
    // is read.
    showNotice(message, { color: 'red', message, autoClose: FAILURE_NOTICE_MS })
  }

  const showRefusals: Notifier['showRefusals'] = refusals => {
    for (const { pfad, grund, code } of refusals.slice(0, MAX_LISTED_REFUSALS))
      showRefusal(grund, { code, fileName: pfad })
    const unlistedCount = refusals.length - MAX_LISTED_REFUSALS
    if (unlistedCount > 0)
      showNotice('more', {
        color: 'red',
        message: w.more(format.number(unlistedCount)),
        autoClose: FAILURE_NOTICE_MS,
      })
  }

  const runUndo: Notifier['runUndo'] = async (undo, fileCount) => {
    const progress = fileCount > MAX_FILES_WITHOUT_PROGRESS ? showProgress(w.undoing, fileCount) : null
    try {
      await undo(count => progress?.add(count))
    } finally {
      progress?.end()
    }
  }

  const offerUndo: Notifier['offerUndo'] = (message, undoChange, fileCount = 1) => {
    const removeUndoAction = () => {
      undoActions = undoActions.filter(undoAction => undoAction !== undoOnce)
    }
    const undoOnce = async () => {
      removeUndoAction()
      notifications.hide(id)
      try {
        await runUndo(undoChange, fileCount)
        showSuccess(w.undone)
      } catch (error) {
        showError(error as Error)
      }
    }
    const id = showNotice('undo', {
      autoClose: UNDO_OFFER_MS,
      message: <UndoNotice message={message} onUndo={undoOnce} />,
    })
    undoActions = [...undoActions, undoOnce]
    setTimeout(removeUndoAction, UNDO_OFFER_MS)
  }

  const showSuccess = (message: string) => void showNotice('done', { message })
  return { showSuccess, showError, showRefusal, showRefusals, progress: showProgress, offerUndo, runUndo }
}

function UndoNotice({ message, onUndo }: { message: string; onUndo(): Promise<void> }) {
  const { w } = useTexts(words)
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{message}</Text>
      <Button size="compact-sm" variant="light" flex="none" onClick={() => void onUndo()}>
        {w.undo}
      </Button>
    </Group>
  )
}

const showProgress: Notifier['progress'] = (label, total, onStop) => {
  const id = newId()
  let doneCount = 0
  const createNotice = (): NotificationData => ({
    id,
    autoClose: false,
    withCloseButton: false,
    message: <ProgressNotice label={label} doneCount={doneCount} total={total} onStop={onStop} />,
  })
  notifications.show(createNotice())
  return {
    add(count) {
      doneCount += count
      notifications.update(createNotice())
    },
    end: () => notifications.hide(id),
  }
}

interface ProgressNoticeProps {
  label: string
  doneCount: number
  total: number
  onStop: (() => void) | undefined
}

function ProgressNotice({ label, doneCount, total, onStop }: ProgressNoticeProps) {
  const { w, format } = useTexts(words)
  return (
    <Group wrap="nowrap" align="flex-end">
      <Box flex={1}>
        <ProgressBar
          label={label}
          done={doneCount}
          total={total}
          progressText={w.ofTotal(format.number(doneCount), format.number(total))}
        />
      </Box>
      {onStop && (
        <Button size="compact-sm" variant="default" flex="none" onClick={onStop}>
          {w.stop}
        </Button>
      )}
    </Group>
  )
}

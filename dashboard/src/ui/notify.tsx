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
const UNDO_OFFERED_MS = 12_000
const FAILURE_SHOWN_MS = 8000

/**
 * Functions that undo the changes that can still be undone, the latest last. Each press of Ctrl+Z runs the
 * last one, even if its notice is no longer shown.
 */
let undoActions: readonly (() => Promise<void>)[] = []

export const undoLatest = () => undoActions.at(-1)?.()

/** The id of the shown notice of each kind. */
const shownIds = new Map<string, string>()

/**
 * Shows a notice in place of the former one of the same kind, so that notices do not pile up. Returns the id
 * of the notice.
 */
function replaceNotice(kind: string, notice: NotificationData): string {
  const id = newId()
  const previousId = shownIds.get(kind)
  shownIds.set(kind, id)
  notifications.show({
    ...notice,
    id,
    onClose: () => {
      if (shownIds.get(kind) === id) shownIds.delete(kind)
    },
  })
  if (previousId !== undefined) notifications.hide(previousId)
  return id
}

export interface Notify {
  /** Confirms that something was done. */
  done(message: string): void
  failed(error: Error): void
  /** Shows a refusal within an otherwise successful answer; `about` is the file that was refused. */
  refused(sentence: string, options?: { code?: string; about?: string }): void
  /** Shows many refusals of one action: the first are listed, the others counted. */
  refusedAll(refusals: readonly { pfad: string; grund: string; code: string }[]): void
  /**
   * Shows the progress of a long task until `end` is called. If `onStop` is given, the task can be stopped.
   */
  progress(label: string, total: number, onStop?: () => void): Progress
  /** Confirms a change to files, such as „3 Dateien gelöscht.“, and offers to undo it for some seconds. */
  offerUndo(message: string, undo: UndoChange, fileCount?: number): void
  /** Runs a function that undoes a change, and shows its progress if there are many files. */
  runUndo(undo: UndoChange, fileCount: number): Promise<void>
}

/**
 * A function that undoes a change and calls `report` with the number of files that were undone since the last
 * call.
 */
export type UndoChange = (report: (fileCount: number) => void) => Promise<unknown>

/** Undoing a change to more files than this shows its progress. */
const MAX_FILES_WITHOUT_PROGRESS = 1000

export interface Progress {
  add(count: number): void
  end(): void
}

const MAX_LISTED_REFUSALS = 3

export function useNotify(): Notify {
  const { w, format } = useTexts(words)
  const errorTextOf = useErrorText()
  const translate = useServiceText()
  const show = (kind: string, notice: NotificationData) =>
    replaceNotice(kind, { closeButtonProps: { 'aria-label': w.close }, ...notice })
  const failed = (error: Error) => refused(errorTextOf(error))
  const refused: Notify['refused'] = (reason, { code, about } = {}) => {
    const message = about === undefined ? translate(reason, code) : `${about}: ${translate(reason, code)}`
    // The message itself is the kind, so that another failure does not hide this one before it is read.
    show(message, { color: 'red', message, autoClose: FAILURE_SHOWN_MS })
  }

  const refusedAll: Notify['refusedAll'] = refusals => {
    for (const { pfad, grund, code } of refusals.slice(0, MAX_LISTED_REFUSALS))
      refused(grund, { code, about: pfad })
    const unlistedCount = refusals.length - MAX_LISTED_REFUSALS
    if (unlistedCount > 0)
      show('more', {
        color: 'red',
        message: w.more(format.number(unlistedCount)),
        autoClose: FAILURE_SHOWN_MS,
      })
  }

  const runUndo: Notify['runUndo'] = async (undo, fileCount) => {
    const progress = fileCount > MAX_FILES_WITHOUT_PROGRESS ? showProgress(w.undoing, fileCount) : null
    try {
      await undo(count => progress?.add(count))
    } finally {
      progress?.end()
    }
  }

  const offerUndo: Notify['offerUndo'] = (message, undoChange, fileCount = 1) => {
    const removeUndoAction = () => {
      undoActions = undoActions.filter(each => each !== undoOnce)
    }
    const undoOnce = async () => {
      removeUndoAction()
      notifications.hide(id)
      try {
        await runUndo(undoChange, fileCount)
        done(w.undone)
      } catch (error) {
        failed(error as Error)
      }
    }
    const id = show('undo', {
      autoClose: UNDO_OFFERED_MS,
      message: <UndoNotice message={message} onUndo={undoOnce} />,
    })
    undoActions = [...undoActions, undoOnce]
    setTimeout(removeUndoAction, UNDO_OFFERED_MS)
  }

  const done = (message: string) => void show('done', { message })
  return { done, failed, refused, refusedAll, progress: showProgress, offerUndo, runUndo }
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

const showProgress: Notify['progress'] = (label, total, onStop) => {
  const id = newId()
  let done = 0
  const notice = (): NotificationData => ({
    id,
    autoClose: false,
    withCloseButton: false,
    message: <ProgressNotice label={label} done={done} total={total} onStop={onStop} />,
  })
  notifications.show(notice())
  return {
    add(count) {
      done += count
      notifications.update(notice())
    },
    end: () => notifications.hide(id),
  }
}

interface ProgressNoticeProps {
  label: string
  done: number
  total: number
  onStop: (() => void) | undefined
}

function ProgressNotice({ label, done, total, onStop }: ProgressNoticeProps) {
  const { w, format } = useTexts(words)
  return (
    <Group wrap="nowrap" align="flex-end">
      <Box flex={1}>
        <ProgressBar
          label={label}
          done={done}
          total={total}
          figures={w.ofTotal(format.number(done), format.number(total))}
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

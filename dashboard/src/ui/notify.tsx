/** Short notices: what was done, with a button to undo it, and errors that have no better place. */
import { Box, Button, Group, Text } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { useTexts } from '../language/language.tsx'
import { useServiceText } from '../language/service-text.ts'
import { newId } from '../state/new-id.ts'
import { ProgressBar } from './charts/progress-bar.tsx'
import { useSentence } from './error-notice.tsx'
import { words } from './words.ts'

/** Milliseconds for which undo is offered: long enough to notice a mistake. */
const UNDO_FOR = 12_000
const FAILURE_FOR = 8000

/**
 * The changes that can still be undone, the latest last. `Strg+Z` undoes one after the other, even if its
 * notice is no longer shown.
 */
let undoable: readonly (() => Promise<void>)[] = []

export const undoLatest = () => undoable.at(-1)?.()

/** The id of the shown notice of each kind. */
const shown = new Map<string, string>()

/** Shows a notice in place of the former one of the same kind, so that notices do not pile up. */
function showInstead(kind: string, notice: NotificationData): string {
  const id = newId()
  const former = shown.get(kind)
  shown.set(kind, id)
  notifications.show({
    ...notice,
    id,
    onClose: () => {
      if (shown.get(kind) === id) shown.delete(kind)
    },
  })
  if (former !== undefined) notifications.hide(former)
  return id
}

export interface Notify {
  /** Confirms that something was done. */
  done(message: string): void
  failed(error: Error): void
  /** Shows a refusal within an otherwise successful answer; `about` is the file that was refused. */
  refused(sentence: string, options?: { code?: string; about?: string }): void
  /** Shows many refusals of one action: the first are listed, the others counted. */
  refusedAll(refused: readonly { pfad: string; grund: string; code: string }[]): void
  /**
   * Shows the progress of a long task until `end` is called. If `onStop` is given, the task can be stopped.
   */
  progress(label: string, total: number, onStop?: () => void): Progress
  /** Confirms a change to files that can be undone: „3 Dateien gelöscht.“ */
  undo(message: string, undo: TakeBack, files?: number): void
  /** Runs `undo`, and shows its progress if there are many files. */
  takeBack(undo: TakeBack, files: number): Promise<void>
}

/** Undoes a change. Calls `report` with the number of files that were undone since the last call. */
export type TakeBack = (report: (files: number) => void) => Promise<unknown>

/** If more files than this are to be undone, the progress is shown. */
const MANY = 1000

export interface Progress {
  add(count: number): void
  end(): void
}

/** Maximum number of refusals that are listed one by one. */
const REFUSALS_SHOWN = 3

export function useNotify(): Notify {
  const { w, format } = useTexts(words)
  const sentence = useSentence()
  const text = useServiceText()
  const show = (kind: string, notice: NotificationData) =>
    showInstead(kind, { closeButtonProps: { 'aria-label': w.close }, ...notice })
  const failed = (error: Error) => refused(sentence(error))
  const refused: Notify['refused'] = (told, { code, about } = {}) => {
    const message = about === undefined ? text(told, code) : `${about}: ${text(told, code)}`
    // Each message is a kind of its own, so that another failure does not hide this one before it is read.
    show(message, { color: 'red', message, autoClose: FAILURE_FOR })
  }

  const refusedAll: Notify['refusedAll'] = all => {
    for (const { pfad, grund, code } of all.slice(0, REFUSALS_SHOWN)) refused(grund, { code, about: pfad })
    const left = all.length - REFUSALS_SHOWN
    if (left > 0) show('more', { color: 'red', message: w.more(format.number(left)), autoClose: FAILURE_FOR })
  }

  const takeBack: Notify['takeBack'] = async (undo, files) => {
    const progress = files > MANY ? showProgress(w.undoing, files) : null
    try {
      await undo(count => progress?.add(count))
    } finally {
      progress?.end()
    }
  }

  const undo: Notify['undo'] = (message, way, files = 1) => {
    const forget = () => {
      undoable = undoable.filter(each => each !== mine)
    }
    const mine = async () => {
      forget()
      notifications.hide(id)
      try {
        await takeBack(way, files)
        done(w.undone)
      } catch (error) {
        failed(error as Error)
      }
    }
    const id = show('undo', {
      autoClose: UNDO_FOR,
      message: <UndoNotice message={message} onUndo={mine} />,
    })
    undoable = [...undoable, mine]
    setTimeout(forget, UNDO_FOR)
  }

  const done = (message: string) => void show('done', { message })
  return { done, failed, refused, refusedAll, progress: showProgress, undo, takeBack }
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

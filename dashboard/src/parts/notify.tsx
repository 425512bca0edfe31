/** Short notices at the edge: what was done, with the way back; and failures that have no better place. */
import { Button, Group, Text } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { useWords } from '../language/language.tsx'
import { useServiceText } from '../language/service-text.ts'
import { useSentence } from './error-notice.tsx'
import { words } from './words.ts'

/** Milliseconds; long enough to notice that it was the wrong file. */
const UNDO_FOR = 12_000
const FAILURE_FOR = 8000

/** The last thing that can be taken back; `Strg+Z` does it too. */
let latest: { id: string; undo(): Promise<void> } | null = null

export const undoLatest = () => latest?.undo()

export interface Notify {
  /** Something is done. */
  done(message: string): void
  failed(error: Error): void
  /** A refusal that came as a sentence, within an answer that is otherwise good; `about`: the file it is about. */
  refused(sentence: string, options?: { code?: string; about?: string }): void
  /** Something is done and can be taken back: „3 Dateien gelöscht.“ */
  undo(message: string, undo: () => Promise<unknown>): void
}

export function useNotify(): Notify {
  const w = useWords(words)
  const sentence = useSentence()
  const text = useServiceText()
  const show = (notice: NotificationData) => {
    notifications.show({ closeButtonProps: { 'aria-label': w.close }, ...notice })
  }
  const failed = (error: Error) => refused(sentence(error))
  const refused: Notify['refused'] = (told, { code, about } = {}) => {
    const message = about === undefined ? text(told, code) : `${about}: ${text(told, code)}`
    show({ color: 'red', message, autoClose: FAILURE_FOR })
  }

  function undo(message: string, takeBack: () => Promise<unknown>): void {
    const id = crypto.randomUUID?.() ?? String(Math.random())
    const mine = {
      id,
      async undo() {
        if (latest === mine) latest = null
        notifications.hide(id)
        try {
          await takeBack()
          show({ message: w.undone })
        } catch (error) {
          failed(error as Error)
        }
      },
    }
    latest = mine
    show({
      id,
      autoClose: UNDO_FOR,
      onClose: () => {
        if (latest === mine) latest = null
      },
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{message}</Text>
          <Button size="compact-sm" variant="light" flex="none" onClick={() => void mine.undo()}>
            {w.undo}
          </Button>
        </Group>
      ),
    })
  }

  return { done: message => show({ message }), failed, refused, undo }
}

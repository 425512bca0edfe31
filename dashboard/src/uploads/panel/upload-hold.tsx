/** Shows why the upload queue sends no further file, and when it continues. */
import { Button, Group, Text } from '@mantine/core'
import { IconClockPause, IconPlayerPause } from '@tabler/icons-react'
import { useTexts, useWords } from '../../language/language.tsx'
import { useServiceText } from '../../language/service-text.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { useCountdown } from '../../ui/use-countdown.ts'
import type { QueueHold, UploadsState } from '../queue/queue-state.ts'
import classes from '../uploads.module.css'
import { uploadQueue } from '../uploads.ts'
import { words } from '../words.ts'

export function UploadHold({ state: { hold, isPaused } }: { state: UploadsState }) {
  const w = useWords(words)
  const reason = useHoldText(hold)
  const HoldIcon = isPaused ? IconPlayerPause : IconClockPause
  const text = isPaused ? w.pausedHint : reason
  return (
    <>
      {/* This element is always present, so that a screen reader announces a change of its text. */}
      <Text role="status" size="sm" component="div" className={classes.hold}>
        {text !== '' && <HoldIcon size={20} stroke={1.75} aria-hidden />}
        <span>{text}</span>
      </Text>
      {hold && !isPaused && <NextAttempt hold={hold} />}
    </>
  )
}

function useHoldText(hold: QueueHold | null): string {
  const w = useWords(words)
  const serviceText = useServiceText()
  if (!hold) return ''
  if (hold.reason !== 'busy') return w[hold.reason]
  if (!hold.answer) return w.continuesByItself
  return 'status' in hold.answer
    ? w.proxyStatus(hold.answer.status)
    : `${serviceText(hold.answer.sentence, hold.answer.code)} ${w.continuesByItself}`
}

function NextAttempt({ hold }: { hold: QueueHold }) {
  const { w, format } = useTexts(words)
  const seconds = useCountdown(hold.nextAttemptAt)
  if (hold.reason === 'signedOut') return null
  return (
    <Group gap="xs" justify="space-between" wrap="nowrap" mih={24}>
      <DimmedText>{seconds > 0 ? w.nextAttempt(format.duration(seconds * 1000)) : w.attempting}</DimmedText>
      {seconds > 0 && (
        <Button size="compact-xs" variant="default" flex="none" onClick={uploadQueue.tryNow}>
          {w.tryNow}
        </Button>
      )}
    </Group>
  )
}

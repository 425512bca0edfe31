/**
 * The progress of uploads as a small ring, which is the button that opens and closes the list of uploads. It
 * is shown while the list has entries or an upload is being prepared.
 */
import { ActionIcon, RingProgress, Tooltip } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconPlayerPause } from '@tabler/icons-react'
import { useTexts } from '../../language/language.tsx'
import { useObservable } from '../../state/observable.ts'
import { isPanelOpen, pendingIntake, uploadsState } from '../uploads.ts'
import { words } from '../words.ts'

export function UploadRing() {
  const { w, format } = useTexts(words)
  const state = useObservable(uploadsState)
  const { items, activeCount, problemCount, bytes } = state
  const isOpen = useObservable(isPanelOpen)
  const isPreparing = useObservable(pendingIntake)?.kind === 'preparing'
  if (items.length === 0 && !isPreparing) return null
  const sentShare = bytes.total === 0 ? 0 : bytes.sent / bytes.total
  const isStopped = activeCount > 0 && (state.isPaused || state.hold !== null)
  const activeLabel = isStopped
    ? state.isPaused
      ? w.ringPaused
      : w.ringWaiting
    : w.running(format.percent(sentShare))
  const label = isPreparing ? w.preparing : activeCount > 0 ? activeLabel : w.openList
  const EndIcon = problemCount > 0 ? IconAlertCircle : IconCheck
  const color = problemCount > 0 && activeCount === 0 ? 'red' : 'accent'
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={label}
        aria-expanded={isOpen}
        loading={isPreparing && items.length === 0}
        onClick={() => isPanelOpen.set(!isOpen)}
      >
        <RingProgress
          size={32}
          thickness={3}
          roundCaps
          sections={[{ value: activeCount > 0 ? sentShare * 100 : 100, color }]}
          label={
            isStopped ? (
              <RingIcon icon={IconPlayerPause} />
            ) : activeCount > 0 ? null : (
              <RingIcon icon={EndIcon} />
            )
          }
        />
      </ActionIcon>
    </Tooltip>
  )
}

function RingIcon({ icon: Icon }: { icon: typeof IconCheck }) {
  return <Icon size={14} aria-hidden style={{ display: 'block', margin: 'auto' }} />
}

/** The progress of uploads as a small ring that opens their list; not shown if there are no uploads. */
import { ActionIcon, RingProgress, Tooltip } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconPlayerPause } from '@tabler/icons-react'
import { useTexts } from '../../language/language.tsx'
import { useObservable } from '../../state/observable.ts'
import { isPanelOpen, pendingIntake, uploadsState } from '../uploads.ts'
import { words } from '../words.ts'

export function UploadRing() {
  const { w, format } = useTexts(words)
  const state = useObservable(uploadsState)
  const { items, active, problems, bytes } = state
  const opened = useObservable(isPanelOpen)
  const preparing = useObservable(pendingIntake)?.kind === 'preparing'
  if (items.length === 0 && !preparing) return null
  const share = bytes.total === 0 ? 0 : bytes.sent / bytes.total
  const isStanding = active > 0 && (state.isPaused || state.hold !== null)
  const running = isStanding
    ? state.isPaused
      ? w.ringPaused
      : w.ringWaiting
    : w.running(format.percent(share))
  const label = preparing ? w.preparing : active > 0 ? running : w.openList
  const over = problems > 0 ? IconAlertCircle : IconCheck
  const color = problems > 0 && active === 0 ? 'red' : 'accent'
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={label}
        aria-expanded={opened}
        loading={preparing && items.length === 0}
        onClick={() => isPanelOpen.set(!opened)}
      >
        <RingProgress
          size={32}
          thickness={3}
          roundCaps
          sections={[{ value: active > 0 ? share * 100 : 100, color }]}
          label={isStanding ? <Sign icon={IconPlayerPause} /> : active > 0 ? null : <Sign icon={over} />}
        />
      </ActionIcon>
    </Tooltip>
  )
}

function Sign({ icon: Icon }: { icon: typeof IconCheck }) {
  return <Icon size={14} aria-hidden style={{ display: 'block', margin: 'auto' }} />
}

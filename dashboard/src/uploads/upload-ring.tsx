/** How far the uploads are, as a small ring that opens their list; nothing while there are none. */
import { ActionIcon, RingProgress, Tooltip } from '@mantine/core'
import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import { useObservable } from '../hooks/observable.ts'
import { useTexts } from '../language/language.tsx'
import { panelOpened, pendingIntake, uploadsState } from './uploads.ts'
import { words } from './words.ts'

export function UploadRing() {
  const { w, format } = useTexts(words)
  const { items, active, problems, bytes } = useObservable(uploadsState)
  const opened = useObservable(panelOpened)
  const preparing = useObservable(pendingIntake)?.kind === 'preparing'
  if (items.length === 0 && !preparing) return null
  const share = bytes.total === 0 ? 0 : bytes.sent / bytes.total
  const label = preparing ? w.preparing : active > 0 ? w.running(format.percent(share)) : w.openList
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
        onClick={() => panelOpened.set(!opened)}
      >
        <RingProgress
          size={32}
          thickness={3}
          roundCaps
          sections={[{ value: active > 0 ? share * 100 : 100, color }]}
          label={active > 0 ? null : <Done problems={problems > 0} />}
        />
      </ActionIcon>
    </Tooltip>
  )
}

function Done({ problems }: { problems: boolean }) {
  const Sign = problems ? IconAlertCircle : IconCheck
  return <Sign size={14} aria-hidden style={{ display: 'block', margin: 'auto' }} />
}

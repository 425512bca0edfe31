/** How far the uploads are, as a small ring; nothing while there are none. */
import { RingProgress, Tooltip } from '@mantine/core'
import { useFormat, useWords } from '../language/language.tsx'
import { useUploadProgress } from './store.ts'
import { words } from './words.ts'

export function UploadRing() {
  const w = useWords(words)
  const format = useFormat()
  const progress = useUploadProgress()
  if (!progress) return null
  const share = progress.total === 0 ? 0 : progress.done / progress.total
  const label = w.running(format.percent(share))
  return (
    <Tooltip label={label}>
      <RingProgress
        size={36}
        thickness={4}
        roundCaps
        role="img"
        aria-label={label}
        sections={[{ value: share * 100, color: 'accent' }]}
      />
    </Tooltip>
  )
}

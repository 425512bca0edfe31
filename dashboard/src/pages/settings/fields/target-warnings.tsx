/** What is amiss with the targets of the backup as they are saved now: said at once, not only after the next night. */
import { Stack } from '@mantine/core'
import { useGet } from '../../../api/use-get.ts'
import { ErrorNotice } from '../../../parts/error-notice.tsx'
import { Warning } from '../../../parts/warning.tsx'

export function TargetWarnings() {
  const { data, error, refetch } = useGet('sicherung')
  const warnings = data?.warnungen ?? []
  if (!error && warnings.length === 0) return null
  return (
    <Stack gap="xs" pb="md">
      <ErrorNotice error={error} onRetry={refetch} />
      {warnings.map(warning => (
        <Warning key={warning}>{warning}</Warning>
      ))}
    </Stack>
  )
}

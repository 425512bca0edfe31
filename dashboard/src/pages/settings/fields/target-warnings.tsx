/** Warnings about the saved backup targets, shown at once and not only after the next backup. */
import { Stack } from '@mantine/core'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useGet } from '../../../api/use-get.ts'
import { useServiceText } from '../../../language/service-text.ts'
import { ErrorNotice } from '../../../parts/error-notice.tsx'
import { Warning } from '../../../parts/warning.tsx'

export function TargetWarnings({ settings }: { settings: SettingsAnswer }) {
  const text = useServiceText()
  const { data, error, refetch } = useGet('sicherung')
  const besideFields = [settings.SICHERUNG_ZIEL, settings.SICHERUNG_ZWEITZIEL].map(
    ({ warnung }) => warnung?.satz,
  )
  const warnings = (data?.warnungen ?? []).filter(warning => !besideFields.includes(warning))
  if (!error && warnings.length === 0) return null
  return (
    <Stack gap="xs" pb="md">
      <ErrorNotice error={error} onRetry={refetch} />
      {warnings.map(warning => (
        <Warning key={warning}>{text(warning)}</Warning>
      ))}
    </Stack>
  )
}

/** Warnings about the saved backup targets. They are shown at once and not only after the next backup. */
import { Stack } from '@mantine/core'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useGet } from '../../../api/use-get.ts'
import { useServiceText, warningTexts } from '../../../language/service-text.ts'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Warning } from '../../../ui/warning.tsx'

export function TargetWarnings({ settings }: { settings: SettingsAnswer }) {
  const text = useServiceText()
  const { data, error, refetch } = useGet('sicherung')
  const besideFields = [settings.SICHERUNG_ZIEL, settings.SICHERUNG_ZWEITZIEL].map(
    ({ warnung }) => warnung?.code,
  )
  const warnings = data ? warningTexts(data, text) : []
  const others = warnings.filter((_, at) => !besideFields.includes(data?.warnungen_codes[at]))
  if (!error && others.length === 0) return null
  return (
    <Stack gap="xs" pb="md">
      <ErrorNotice error={error} onRetry={refetch} />
      {others.map(warning => (
        <Warning key={warning}>{warning}</Warning>
      ))}
    </Stack>
  )
}

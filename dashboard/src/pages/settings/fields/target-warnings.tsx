/**
 * Warnings about the saved backup targets, shown without waiting for the next backup. Warnings that are
 * already shown at the fields of the first and second target are left out.
 */
import { Stack } from '@mantine/core'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useGet } from '../../../api/use-get.ts'
import { backupWarningTexts, useServiceText } from '../../../language/service-text.ts'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Warning } from '../../../ui/warning.tsx'

export function TargetWarnings({ settings }: { settings: SettingsAnswer }) {
  const translate = useServiceText()
  const { data, error, refetch } = useGet('sicherung')
  const codesBesideFields = [settings.SICHERUNG_ZIEL, settings.SICHERUNG_ZWEITZIEL].map(
    ({ warnung }) => warnung?.code,
  )
  const warnings = data ? backupWarningTexts(data, translate) : []
  const otherWarnings = warnings.filter(
    (_, index) => !codesBesideFields.includes(data?.warnungen_codes[index]),
  )
  if (!error && otherWarnings.length === 0) return null
  return (
    <Stack gap="xs" pb="md">
      <ErrorNotice error={error} onRetry={refetch} />
      {otherWarnings.map(warning => (
        <Warning key={warning}>{warning}</Warning>
      ))}
    </Stack>
  )
}

/** The health checks of the service, each with its result. */
import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import type { CheckAnswer } from '../../../src/contract/service/status.ts'
import { useWords } from '../language/language.tsx'
import { useServiceText } from '../language/service-text.ts'
import { DimmedText } from './dimmed-text.tsx'
import { statusWords } from './status-words.ts'

/**
 * The code of the remark that no backup has been made yet. A new service passes the backup check without a
 * backup for its first 26 hours (`MAX_BACKUP_AGE`), but a green tick beside this remark would be misleading.
 */
const NO_BACKUP_CODE = 'check-backup-never'

const CHECK_ICONS = {
  good: { Icon: IconCircleCheck, color: 'var(--fundus-good)' },
  open: { Icon: IconCircleDashed, color: 'var(--mantine-color-dimmed)' },
  bad: { Icon: IconAlertTriangle, color: 'var(--fundus-warn)' },
} as const

/** Each check with icon and name, and the service's reason or remark if there is one. */
export function HealthChecks({ checks }: { checks: readonly CheckAnswer[] }) {
  const w = useWords(statusWords)
  const serviceText = useServiceText()
  return checks.map(({ was, ok, grund, hinweis, code }) => {
    const reason = grund ?? hinweis
    const state = code === NO_BACKUP_CODE && ok ? 'open' : ok ? 'good' : 'bad'
    const { Icon, color } = CHECK_ICONS[state]
    return (
      <Group key={was} gap="xs" wrap="nowrap" align="flex-start">
        <Icon size={20} aria-label={w[state]} color={color} style={{ flex: 'none' }} />
        <div>
          <Text size="sm">{w[was]}</Text>
          {reason && <DimmedText>{serviceText(reason, code)}</DimmedText>}
        </div>
      </Group>
    )
  })
}

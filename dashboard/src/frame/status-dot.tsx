/** The state of the service as a coloured dot; a click shows the health checks. */
import { ActionIcon, Group, Popover, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import type { CheckAnswer } from '../../../src/contract/service/status.ts'
import { isConnectionLost } from '../api/connection.ts'
import { useTexts, useWords } from '../language/language.tsx'
import { useServiceText } from '../language/service-text.ts'
import { useObservable } from '../state/observable.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Quiet } from '../ui/quiet.tsx'
import classes from './frame.module.css'
import { useStatus } from './status.ts'
import { statusWords, words } from './words.ts'

export function StatusDot() {
  const { w, format } = useTexts(statusWords)
  const { data, error, refetch } = useStatus()
  const { connectionLost: lostSentence } = useWords(words)
  const isLost = useObservable(isConnectionLost)
  // The state from before the connection was lost may be wrong by now, so it is not shown.
  const currentStatus = isLost ? undefined : data
  const stateText = isLost ? w.getrennt : currentStatus ? w[currentStatus.stand] : w.unknown
  return (
    <Popover position="bottom-end" width={320} shadow="md" withinPortal>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={w.label(stateText)}
          onClick={() => refetch()}
        >
          <span className={classes.dot} data-state={isLost ? 'getrennt' : currentStatus?.stand} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text fw={600}>{w.label(stateText)}</Text>
          {isLost ? <Text size="sm">{lostSentence}</Text> : <ErrorNotice error={error} />}
          <HealthChecks checks={currentStatus?.pruefungen ?? []} />
          {currentStatus && <Quiet>{w.uptime(format.duration(currentStatus.seit * 1000))}</Quiet>}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/**
 * The code of the remark that no backup has been made yet. A new service passes the backup check without a
 * backup for its first 26 hours (`MAX_BACKUP_AGE`), but a green tick beside this remark would be misleading.
 */
const NO_BACKUP_YET = 'check-backup-never'

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
    const state = code === NO_BACKUP_YET && ok ? 'open' : ok ? 'good' : 'bad'
    const { Icon, color } = CHECK_ICONS[state]
    return (
      <Group key={was} gap="xs" wrap="nowrap" align="flex-start">
        <Icon size={20} aria-label={w[state]} color={color} style={{ flex: 'none' }} />
        <div>
          <Text size="sm">{w[was]}</Text>
          {reason && <Quiet>{serviceText(reason, code)}</Quiet>}
        </div>
      </Group>
    )
  })
}

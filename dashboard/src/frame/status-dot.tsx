/** The state of the service as a coloured dot; a click shows the health checks. */
import { ActionIcon, Popover, Stack, Text } from '@mantine/core'
import { isConnectionLost } from '../api/connection.ts'
import { useStatus } from '../api/use-status.ts'
import { useTexts, useWords } from '../language/language.tsx'
import { useObservable } from '../state/observable.ts'
import { DimmedText } from '../ui/dimmed-text.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { HealthChecks } from '../ui/health-checks.tsx'
import { statusWords } from '../ui/status-words.ts'
import classes from './frame.module.css'
import { words } from './words.ts'

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
          {currentStatus && <DimmedText>{w.uptime(format.duration(currentStatus.seit * 1000))}</DimmedText>}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

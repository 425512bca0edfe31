/** The section that lists the sessions of the account and ends one of them, or all but the current one. */
import { Badge, Button, Group, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { OwnSession } from '../../../../src/contract/accounts/own-sessions.ts'
import { del } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useWords } from '../../language/language.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { useDialog } from '../../ui/forms/dialog.tsx'
import { TitledBox } from '../../ui/lists/titled-box.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import classes from './account.module.css'
import { readDevice } from './device.ts'
import { words } from './words.ts'

export function SessionsSection() {
  const w = useWords(words)
  const query = useGet('sitzungen')
  const endOthersDialog = useDialog()
  const hasOtherSessions = (query.data?.length ?? 0) > 1
  return (
    <TitledBox
      title={w.sessions}
      cornerContent={
        hasOtherSessions && (
          <Button variant="default" onClick={() => endOthersDialog.open(true)}>
            {w.endOthers}
          </Button>
        )
      }
    >
      <DimmedText mb="xs">{w.sessionsHint}</DimmedText>
      <QueryResult query={query} skeleton={<RowsSkeleton rows={2} />}>
        {sessions => (
          <ul className={classes.rows} aria-label={w.sessions}>
            {sessions.map(session => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </QueryResult>
      <ConfirmDialog
        {...endOthersDialog}
        title={w.endOthersTitle}
        confirmLabel={w.endOthers}
        onConfirm={() => del('sitzungen')}
        successMessage={w.othersEnded}
        refresh={['sitzungen']}
      >
        {w.endOthersHint}
      </ConfirmDialog>
    </TitledBox>
  )
}

function SessionRow({
  session: { id, begonnen, zuletzt, adresse, programm, diese },
}: {
  session: OwnSession
}) {
  const w = useWords(words)
  const notify = useNotify()
  const refresh = useRefresh()
  const { program, system, isHandheld } = readDevice(programm)
  const deviceName = program && system ? w.programOn(program, system) : (program ?? system ?? w.unknownDevice)
  const DeviceIcon = isHandheld ? IconDeviceMobile : IconDeviceDesktop
  const endMutation = useMutation({
    mutationFn: () => del(`sitzungen/${id}`),
    onSuccess: () => notify.showSuccess(w.ended),
    onError: error => notify.showError(error),
    onSettled: () => refresh('sitzungen'),
  })
  return (
    <li className={classes.row}>
      <DeviceIcon size={24} stroke={1.5} aria-hidden />
      <div className={classes.facts}>
        <Group gap="xs">
          <Text fw={600}>{deviceName}</Text>
          {diese && <Badge>{w.thisOne}</Badge>}
        </Group>
        <DimmedText>
          {adresse !== null && `${adresse} · `}
          {w.begun} <RelativeTime timestamp={begonnen} /> · {w.lastUsed} <RelativeTime timestamp={zuletzt} />
        </DimmedText>
      </div>
      {!diese && (
        <Button
          variant="subtle"
          color="gray"
          c="var(--fundus-bad)"
          aria-label={w.endOne(deviceName)}
          loading={endMutation.isPending}
          onClick={() => endMutation.mutate()}
        >
          {w.end}
        </Button>
      )}
    </li>
  )
}

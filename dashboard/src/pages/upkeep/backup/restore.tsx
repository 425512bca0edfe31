/** How to restore an archive: explanation, three steps and the command. */
import { List, Stack, Text, Title } from '@mantine/core'
import type { BackupState } from '../../../../../src/contract/service/backup.ts'
import { useGet } from '../../../api/use-get.ts'
import { useWords } from '../../../language/language.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { Panel } from '../../../ui/lists/panel.tsx'
import { CommandLine } from './command-line.tsx'
import { restoreCommand } from './restore-command.ts'
import { backupWords } from './words.ts'

export function RestoreSteps({ archives }: { archives: BackupState['archive'] }) {
  const w = useWords(backupWords)
  const { data } = useGet('einstellungen')
  const target = data?.SICHERUNG_ZIEL.wert ?? ''
  // An older complete archive is preferred to a newer incomplete one.
  const preferredArchive = archives.find(({ vollstaendig }) => vollstaendig) ?? archives[0]
  const command = restoreCommand({ target, name: preferredArchive?.name ?? null })
  return (
    <Panel>
      <Stack gap="xs">
        <Title order={2}>{w.restore}</Title>
        <Text size="sm">{w.restoreWhat}</Text>
        <List type="ordered" size="sm">
          <List.Item>{w.restoreFirst}</List.Item>
          <List.Item>{w.restoreSecond}</List.Item>
          <List.Item>{w.restoreThird}</List.Item>
        </List>
        <CommandLine command={command} />
        {target === '' && <DimmedText>{w.dataFolder}</DimmedText>}
      </Stack>
    </Panel>
  )
}

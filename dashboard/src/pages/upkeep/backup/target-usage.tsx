/** For each backup target: the space that the backup takes, what the last run copied, and the free space. */
import { Stack, Text, Title } from '@mantine/core'
import type { BackupState } from '../../../../../src/contract/service/backup.ts'
import { useTexts } from '../../../language/language.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { Panel } from '../../../ui/lists/panel.tsx'
import { backupWords } from './words.ts'

export function TargetUsage({ state: { plaetze, letzter } }: { state: BackupState }) {
  const { w, format } = useTexts(backupWords)
  return (
    <Panel>
      <Stack gap="xs">
        <Title order={2}>{w.places}</Title>
        {plaetze.map(({ ort, bytes, frei }) => {
          const copiedBytes = letzter?.plaetze?.find(target => target.ort === ort)?.kopiert
          const usageTexts = [
            bytes !== null && w.placeTaken(format.bytes(bytes)),
            frei !== null && w.placeFree(format.bytes(frei)),
            copiedBytes !== undefined && w.placeCopied(format.bytes(copiedBytes)),
          ]
          return (
            <Text key={ort} size="sm" style={{ overflowWrap: 'anywhere' }}>
              <Text span inherit c="dimmed">
                {ort}:
              </Text>{' '}
              {usageTexts.filter(Boolean).join(' · ')}
            </Text>
          )
        })}
        <DimmedText>{w.contentsStoredOnce}</DimmedText>
      </Stack>
    </Panel>
  )
}

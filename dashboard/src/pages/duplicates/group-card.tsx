/** A group of files with equal content. A click on a file chooses it as the one to keep. */
import { Button, Group, Radio, Text, Title } from '@mantine/core'
import { useId } from 'react'
import type { z } from 'zod'
import type { duplicatesAnswer } from '../../../../src/contract/files/duplicates.ts'
import { useTexts } from '../../language/language.tsx'
import { FilePreview } from '../../ui/files/file-preview.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import classes from './duplicates.module.css'
import { words } from './words.ts'

export type DuplicateGroup = z.output<typeof duplicatesAnswer>['gruppen'][number]

export interface GroupCardProps {
  group: DuplicateGroup
  /** The path of the file that is kept. */
  keptPath: string
  isBusy: boolean
  onKeep(path: string): void
  onRemove(): void
}

export function GroupCard({ group, keptPath, isBusy, onKeep, onRemove }: GroupCardProps) {
  const { w, format } = useTexts(words)
  const id = useId()
  const { size, dateien, bytes, beispiele } = group
  const otherCount = dateien - 1
  const unlistedCount = dateien - beispiele.length
  return (
    <Panel>
      <section aria-labelledby={id}>
        <Group justify="space-between" mb="xs">
          <div>
            <Title order={2} size="h4" id={id}>
              {w.group(dateien, format.number(dateien), format.bytes(size))}
            </Title>
            <Text size="sm" c="dimmed">
              {w.frees(format.bytes(bytes))}
            </Text>
          </div>
          <Button variant="light" disabled={isBusy} onClick={onRemove}>
            {w.removeOthers(otherCount, format.number(otherCount))}
          </Button>
        </Group>
        <Radio.Group value={keptPath} onChange={onKeep} aria-label={w.keepWhich}>
          <div className={classes.files}>
            {beispiele.map(file => (
              <Radio.Card key={file.path} value={file.path} className={classes.file} aria-label={file.path}>
                <FilePreview file={file} size={64} withoutBadge />
                <div className={classes.text}>
                  <MiddleTruncatedText>{file.path}</MiddleTruncatedText>
                  <Text size="xs" c="dimmed" component="div">
                    {w.views(file.abrufe, format.number(file.abrufe))} ·{' '}
                    <RelativeTime timestamp={file.updated_at} />
                  </Text>
                </div>
                <Radio.Indicator />
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
        {unlistedCount > 0 && (
          <Text size="sm" c="dimmed" mt="xs">
            {w.more(unlistedCount, format.number(unlistedCount))}
          </Text>
        )}
      </section>
    </Panel>
  )
}

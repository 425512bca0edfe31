/** The list of archives at the backup targets. */
import { Badge, Box, Group, Text, Tooltip } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import type { BackupState } from '../../../../../src/contract/backup.ts'
import { useTexts, useWords } from '../../../language/language.tsx'
import { backupPlaces } from '../../../parts/backup-words.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { Time } from '../../../parts/time.tsx'
import classes from '../upkeep.module.css'
import { backupWords } from './words.ts'

type Archive = BackupState['archive'][number]

export function Archives({ archives }: { archives: readonly Archive[] }) {
  const { w, format } = useTexts(backupWords)
  const { places } = useWords(backupPlaces)
  if (archives.length === 0)
    return (
      <Panel>
        <EmptyState icon={IconArchive} title={w.noArchives} description={w.noArchivesHint} />
      </Panel>
    )
  return (
    <>
      <Box visibleFrom="sm">
        <ArchiveTable archives={archives} />
      </Box>
      <Panel hiddenFrom="sm" py={4}>
        <ul className={classes.findings} aria-label={w.archives}>
          {archives.map(archive => (
            <li key={archive.name}>
              <Name archive={archive} />
              <Text size="sm" c="dimmed" component="div">
                <Time at={archive.zeit} /> · {format.bytes(archive.bytes)} · {places(archive.orte)}
              </Text>
            </li>
          ))}
        </ul>
      </Panel>
    </>
  )
}

function ArchiveTable({ archives }: { archives: readonly Archive[] }) {
  const { w, format } = useTexts(backupWords)
  const { places } = useWords(backupPlaces)
  return (
    <Panel p={0}>
      <DataTable
        label={w.archives}
        rows={archives}
        rowKey={({ name }) => name}
        columns={[
          { key: 'name', title: w.archive, cell: archive => <Name archive={archive} /> },
          { key: 'age', title: w.age, cell: ({ zeit }) => <Time at={zeit} /> },
          { key: 'size', title: w.size, align: 'right', cell: ({ bytes }) => format.bytes(bytes) },
          { key: 'where', title: w.where, cell: ({ orte }) => places(orte) },
        ]}
      />
    </Panel>
  )
}

function Name({ archive: { name, vollstaendig } }: { archive: Archive }) {
  const w = useWords(backupWords)
  return (
    <Group gap={4}>
      <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {!vollstaendig && (
        <Tooltip label={w.incompleteHint} multiline maw={320}>
          <Badge variant="default" size="sm" fw={400} tt="none" c="var(--fundus-warn)" ml={4}>
            {w.incomplete}
          </Badge>
        </Tooltip>
      )}
    </Group>
  )
}

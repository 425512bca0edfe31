/** What lies at the targets. */
import { Badge, Group, Tooltip } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import type { BackupState } from '../../../../../src/contract/backup.ts'
import { useFormat, useWords } from '../../../language/language.tsx'
import { DataTable } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { Time } from '../../../parts/time.tsx'
import { backupWords } from './words.ts'

type Archive = BackupState['archive'][number]

export function Archives({ archives }: { archives: readonly Archive[] }) {
  const w = useWords(backupWords)
  const format = useFormat()
  if (archives.length === 0)
    return (
      <Panel>
        <EmptyState icon={IconArchive} title={w.noArchives} description={w.noArchivesHint} />
      </Panel>
    )
  return (
    <Panel p={0}>
      <DataTable
        label={w.archives}
        rows={archives}
        rowKey={({ name }) => name}
        minWidth={560}
        columns={[
          { key: 'name', title: w.archive, cell: archive => <Name archive={archive} /> },
          { key: 'age', title: w.age, cell: ({ zeit }) => <Time at={zeit} /> },
          { key: 'size', title: w.size, align: 'right', cell: ({ bytes }) => format.bytes(bytes) },
          { key: 'where', title: w.where, cell: ({ orte }) => w.places(orte) },
        ]}
      />
    </Panel>
  )
}

function Name({ archive: { name, vollstaendig } }: { archive: Archive }) {
  const w = useWords(backupWords)
  return (
    <Group gap="xs" wrap="nowrap">
      <span>{name}</span>
      {!vollstaendig && (
        <Tooltip label={w.incompleteHint} multiline maw={320}>
          <Badge variant="light" color="yellow" size="sm" fw={400} tt="none" c="var(--fundus-warn)">
            {w.incomplete}
          </Badge>
        </Tooltip>
      )}
    </Group>
  )
}

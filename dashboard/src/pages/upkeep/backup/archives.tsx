/** The list of archives at the backup targets. */
import { Badge, Box, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconArchive, IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BackupState } from '../../../../../src/contract/service/backup.ts'
import { addressOf, get } from '../../../api/client.ts'
import { useTexts, useWords } from '../../../language/language.tsx'
import { backupPlaceWords } from '../../../ui/backup-words.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { DataTable } from '../../../ui/lists/data-table.tsx'
import { Panel } from '../../../ui/lists/panel.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import classes from '../upkeep.module.css'
import { backupWords } from './words.ts'

type Archive = BackupState['archive'][number]

export function Archives({ archives }: { archives: readonly Archive[] }) {
  const { w, format } = useTexts(backupWords)
  const { places: placesText } = useWords(backupPlaceWords)
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
              <ArchiveName archive={archive} />
              <Text size="sm" c="dimmed" component="div">
                <RelativeTime timestamp={archive.zeit} /> · {format.bytes(archive.bytes)} ·{' '}
                {placesText(archive.orte)} · <KeepReasons archive={archive} />
              </Text>
              <ArchiveDownload name={archive.name} />
            </li>
          ))}
        </ul>
      </Panel>
    </>
  )
}

function ArchiveTable({ archives }: { archives: readonly Archive[] }) {
  const { w, format } = useTexts(backupWords)
  const { places: placesText } = useWords(backupPlaceWords)
  return (
    <Panel p={0}>
      <DataTable
        label={w.archives}
        rows={archives}
        rowKey={({ name }) => name}
        columns={[
          { key: 'name', title: w.archive, cell: archive => <ArchiveName archive={archive} /> },
          {
            key: 'age',
            title: w.age,
            cell: ({ zeit }) => <NoWrap text={<RelativeTime timestamp={zeit} />} />,
          },
          {
            key: 'size',
            title: w.size,
            align: 'right',
            cell: ({ bytes }) => <NoWrap text={format.bytes(bytes)} />,
          },
          { key: 'where', title: w.where, cell: ({ orte }) => placesText(orte) },
          { key: 'stays', title: w.stays, cell: archive => <KeepReasons archive={archive} /> },
          { key: 'take', title: w.download, cell: ({ name }) => <ArchiveDownload name={name} /> },
        ]}
      />
    </Panel>
  )
}

const NoWrap = ({ text }: { text: ReactNode }) => <span style={{ whiteSpace: 'nowrap' }}>{text}</span>

function KeepReasons({ archive: { gruende } }: { archive: Archive }) {
  const w = useWords(backupWords)
  return gruende.length === 0 ? w.removedByNextRun : gruende.map(reason => w[reason]).join(', ')
}

function ArchiveName({ archive: { name, vollstaendig } }: { archive: Archive }) {
  const w = useWords(backupWords)
  return (
    <Group gap={4}>
      <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {!vollstaendig && (
        <Tooltip label={w.incompleteHint} multiline maw={320}>
          <Badge c="var(--fundus-warn)" ml={4}>
            {w.incomplete}
          </Badge>
        </Tooltip>
      )}
    </Group>
  )
}

/**
 * The button that downloads an archive, and its checksum. The checksum is fetched on demand, because the
 * service must read the whole archive for it.
 */
function ArchiveDownload({ name }: { name: string }) {
  const w = useWords(backupWords)
  const checksumMutation = useMutation({ mutationFn: () => get(`sicherung/archiv/${name}/pruefsumme`) })
  return (
    <Group gap="xs" wrap={checksumMutation.data || checksumMutation.error ? 'wrap' : 'nowrap'}>
      <Button
        component="a"
        href={addressOf(`sicherung/archiv/${name}`)}
        download={name}
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        aria-label={w.downloadOne(name)}
      >
        {w.download}
      </Button>
      {checksumMutation.data ? (
        <Group gap={4} wrap="nowrap">
          <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {checksumMutation.data.sha256}
          </Text>
          <CopyButton value={checksumMutation.data.sha256} label={w.copySum} showsOnlyIcon />
        </Group>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={checksumMutation.isPending}
          aria-label={w.sumOne(name)}
          onClick={() => checksumMutation.mutate()}
        >
          {w.sum}
        </Button>
      )}
      <ErrorNotice error={checksumMutation.error} />
    </Group>
  )
}

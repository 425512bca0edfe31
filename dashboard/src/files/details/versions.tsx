/** The earlier versions of a file, which are in the trash. Each can be viewed, downloaded and restored. */
import { ActionIcon, Anchor, Group, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { TrashEntryOnWire } from '../../../../src/contract/files/trash.ts'
import { trashContentAddress } from '../../../../src/contract/paths/addresses.ts'
import { useGet } from '../../api/use-get.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { nameOf } from '../../state/paths.ts'
import { ButtonWithIcon, IconButton, LinkButton } from '../../ui/buttons.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { FilePreview } from '../../ui/files/file-preview.tsx'
import { Dialog, type DialogState, useDialog } from '../../ui/forms/dialog.tsx'
import { DialogButtons } from '../../ui/forms/dialog-buttons.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { removalWords } from '../../ui/words.ts'
import { useRestoreVersion } from '../actions/use-restore-version.ts'
import { detailsWords } from '../words.ts'
import classes from './details.module.css'
import { MediaContent } from './media.tsx'

const PREVIEW_SIZE_PX = 64

export function FileVersions({ path }: { path: string }) {
  const { w, format } = useTexts(detailsWords)
  const { data, error, refetch } = useGet('papierkorb', { query: { pfad: path } })
  const versionDialog = useDialog<TrashEntryOnWire>()
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (!data) return <TextSkeleton lineCount={2} />
  const { eintraege, gesamt } = data
  if (gesamt === 0) return <DimmedText>{w.noVersions}</DimmedText>
  return (
    <>
      <ul className={classes.versions}>
        {eintraege.map(entry => (
          <VersionItem key={entry.nr} entry={entry} onShow={() => versionDialog.open(entry)} />
        ))}
      </ul>
      {gesamt > eintraege.length && (
        <Anchor component={Link} href={PAGES.trash} size="sm">
          {w.moreVersions(format.number(gesamt - eintraege.length))}
        </Anchor>
      )}
      <VersionDialog dialog={versionDialog} />
    </>
  )
}

function VersionItem({ entry, onShow }: { entry: TrashEntryOnWire; onShow(): void }) {
  const { w, format } = useTexts(detailsWords)
  const restoreVersion = useRestoreVersion()
  const { nr, path, size, geloescht_am: deletedAt } = entry
  const removalTime = format.moment(deletedAt)
  return (
    <li>
      <button type="button" className={classes.look} aria-label={w.viewVersion(removalTime)} onClick={onShow}>
        <FilePreview file={entry} size={PREVIEW_SIZE_PX} withoutBadge />
      </button>
      <span className={classes.version}>
        <RemovalReason entry={entry} />
        <Text size="xs" c="dimmed" component="span">
          <RelativeTime timestamp={deletedAt} /> · {format.bytes(size)}
        </Text>
      </span>
      <Group gap={4} wrap="nowrap">
        <Tooltip label={w.download}>
          <ActionIcon
            component="a"
            href={trashContentAddress(nr)}
            download={nameOf(path)}
            variant="subtle"
            color="gray"
            aria-label={w.downloadVersion(removalTime)}
          >
            <IconDownload size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <IconButton
          icon={IconArrowBackUp}
          label={w.bringBackVersion(removalTime)}
          onClick={() => void restoreVersion(entry)}
        />
      </Group>
    </li>
  )
}

/** Why the version was moved to the trash, and by whom. */
function RemovalReason({ entry: { grund, geloescht_von: deletedBy } }: { entry: TrashEntryOnWire }) {
  const reasonText = useWords(removalWords)[grund](deletedBy)
  return <span>{reasonText.charAt(0).toUpperCase() + reasonText.slice(1)}</span>
}

function VersionDialog({ dialog }: { dialog: DialogState<TrashEntryOnWire> }) {
  const { w, format } = useTexts(detailsWords)
  const restoreVersion = useRestoreVersion()
  const { opened, subject: entry, onClose } = dialog
  if (!entry) return null
  const { nr, path, size, geloescht_am: deletedAt } = entry
  return (
    <Dialog opened={opened} onClose={onClose} title={w.version(format.moment(deletedAt))} size="lg">
      <div className={classes.stage}>
        <MediaContent file={entry} id={String(nr)} contentAddress={trashContentAddress(nr)} showsOriginal />
      </div>
      <Text size="sm" mt="sm">
        <RemovalReason entry={entry} /> · {format.bytes(size)}
      </Text>
      <DimmedText mb="md">{w.bringBackHint}</DimmedText>
      <DialogButtons>
        <LinkButton
          icon={IconDownload}
          label={w.download}
          href={trashContentAddress(nr)}
          download={nameOf(path)}
        />
        <ButtonWithIcon
          icon={IconArrowBackUp}
          label={w.bringBack}
          onClick={() => {
            onClose()
            void restoreVersion(entry)
          }}
        />
      </DialogButtons>
    </Dialog>
  )
}

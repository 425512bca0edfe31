/** The earlier versions of a file, which the trash keeps: each can be viewed, downloaded and restored. */
import { ActionIcon, Anchor, Group, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { TrashEntryOnWire } from '../../../../src/contract/files/trash.ts'
import { trashContentAddress } from '../../../../src/contract/paths/addresses.ts'
import { useGet } from '../../api/use-get.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { nameOf } from '../../state/paths.ts'
import { IconButton, LinkButton, SignButton } from '../../ui/buttons.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { FilePreview } from '../../ui/files/file-preview.tsx'
import { Dialog, type DialogState, useDialog } from '../../ui/forms/dialog.tsx'
import { DialogButtons } from '../../ui/forms/dialog-buttons.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { Time } from '../../ui/time.tsx'
import { removalWords } from '../../ui/words.ts'
import { useRestoreVersion } from '../actions/use-restore-version.ts'
import { drawerWords } from '../words.ts'
import classes from './details.module.css'
import { MediaContent } from './media.tsx'

const PREVIEW = 64

export function Versions({ path }: { path: string }) {
  const { w, format } = useTexts(drawerWords)
  const { data, error, refetch } = useGet('papierkorb', { query: { pfad: path } })
  const shown = useDialog<TrashEntryOnWire>()
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (!data) return <TextSkeleton lines={2} />
  const { eintraege, gesamt } = data
  if (gesamt === 0) return <Quiet>{w.noVersions}</Quiet>
  return (
    <>
      <ul className={classes.versions}>
        {eintraege.map(entry => (
          <Version key={entry.nr} entry={entry} onLook={() => shown.open(entry)} />
        ))}
      </ul>
      {gesamt > eintraege.length && (
        <Anchor component={Link} href={PAGES.trash} size="sm">
          {w.moreVersions(format.number(gesamt - eintraege.length))}
        </Anchor>
      )}
      <VersionDialog shown={shown} />
    </>
  )
}

function Version({ entry, onLook }: { entry: TrashEntryOnWire; onLook(): void }) {
  const { w, format } = useTexts(drawerWords)
  const bringBack = useRestoreVersion()
  const { nr, path, size, geloescht_am: at } = entry
  const moment = format.moment(at)
  return (
    <li>
      <button type="button" className={classes.look} aria-label={w.look(moment)} onClick={onLook}>
        <FilePreview file={entry} size={PREVIEW} plain />
      </button>
      <span className={classes.version}>
        <Removal entry={entry} />
        <Text size="xs" c="dimmed" component="span">
          <Time at={at} /> · {format.bytes(size)}
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
            aria-label={w.downloadVersion(moment)}
          >
            <IconDownload size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <IconButton
          icon={IconArrowBackUp}
          label={w.bringBackVersion(moment)}
          onClick={() => void bringBack(entry)}
        />
      </Group>
    </li>
  )
}

/** Why the version was moved to the trash, and by whom. */
function Removal({ entry: { grund, geloescht_von: who } }: { entry: TrashEntryOnWire }) {
  const said = useWords(removalWords)[grund](who)
  return <span>{said.charAt(0).toUpperCase() + said.slice(1)}</span>
}

function VersionDialog({ shown }: { shown: DialogState<TrashEntryOnWire> }) {
  const { w, format } = useTexts(drawerWords)
  const bringBack = useRestoreVersion()
  const { opened, subject: entry, onClose } = shown
  if (!entry) return null
  const { nr, path, size, geloescht_am: at } = entry
  return (
    <Dialog opened={opened} onClose={onClose} title={w.version(format.moment(at))} size="lg">
      <div className={classes.stage}>
        <MediaContent file={entry} id={String(nr)} content={trashContentAddress(nr)} large />
      </div>
      <Text size="sm" mt="sm">
        <Removal entry={entry} /> · {format.bytes(size)}
      </Text>
      <Quiet mb="md">{w.bringBackHint}</Quiet>
      <DialogButtons>
        <LinkButton
          icon={IconDownload}
          label={w.download}
          href={trashContentAddress(nr)}
          download={nameOf(path)}
        />
        <SignButton
          icon={IconArrowBackUp}
          label={w.bringBack}
          onClick={() => {
            onClose()
            void bringBack(entry)
          }}
        />
      </DialogButtons>
    </Dialog>
  )
}

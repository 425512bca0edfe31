/** The details of one file: picture, address, properties and history. */
import { ActionIcon, Group, Stack, Title } from '@mantine/core'
import { IconArrowsMaximize, IconChevronLeft, IconChevronRight, IconTrash, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { may } from '../../state/rights.ts'
import { IconButton, SignButton } from '../../ui/buttons.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { MiddleCut } from '../../ui/files/middle-cut.tsx'
import { keysOf } from '../../ui/keys/keys.ts'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { RenameForm } from '../actions/rename-dialog.tsx'
import { SplitButton, useLabel } from '../commands/command-menu.tsx'
import { applies, COMMAND_LIST, type Command } from '../commands/commands.tsx'
import { DETAILS_ID, useFilesPage } from '../files-context.ts'
import type { FileAnswer } from '../types.ts'
import { drawerWords } from '../words.ts'
import classes from './details.module.css'
import { Fields } from './fields.tsx'
import { FileHistory } from './file-history.tsx'
import { FileRetrievals } from './file-retrievals.tsx'
import { Media } from './media.tsx'
import { Versions } from './versions.tsx'

export default function Details() {
  const { opened, commands } = useFilesPage()
  const { file, gone, error, retry, previous, next, close } = opened
  const w = useWords(drawerWords)
  const title = useId()
  const panel = useRef<HTMLElement>(null)
  // The focus moves into the details, which cover the page on a phone.
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])

  const press = (event: KeyboardEvent) => {
    const target = event.target as Element
    // Events of a menu that the details have opened arrive here too, although the menu is elsewhere in the
    // document. It has its own shortcuts.
    if (event.defaultPrevented || !panel.current?.contains(target)) return
    if (target.closest('input, textarea, video, audio, [aria-expanded="true"]')) return
    const key = keysOf(event)
    if (key === 'Escape') close()
    else if (key === 'ArrowLeft' && previous) commands.details(previous)
    else if (key === 'ArrowRight' && next) commands.details(next)
    else return
    event.preventDefault()
  }
  return (
    <aside
      id={DETAILS_ID}
      ref={panel}
      role="dialog"
      aria-labelledby={title}
      tabIndex={-1}
      className={classes.details}
      onKeyDown={press}
    >
      <header className={classes.head}>
        <Title order={2} id={title} className={classes.name} title={file?.path}>
          <MiddleCut>{file ? nameOf(file.path) : w.details}</MiddleCut>
        </Title>
        <Step label={w.previous} icon={IconChevronLeft} file={previous} />
        <Step label={w.next} icon={IconChevronRight} file={next} />
        <ActionIcon variant="subtle" color="gray" aria-label={w.close} onClick={close}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </header>
      <div className={classes.body}>
        <ErrorNotice error={error} onRetry={retry} />
        {gone && <EmptyState icon={IconTrash} title={w.gone} />}
        {!file && !gone && !error && <TextSkeleton lines={6} />}
        {file && <DetailsContent key={file.id} file={file} />}
      </div>
    </aside>
  )
}

/** A button that opens the details of the previous or next file. */
function Step({ file, ...rest }: { label: string; icon: typeof IconX; file: FileAnswer | undefined }) {
  const { details } = useFilesPage().commands
  return (
    <IconButton {...rest} className={classes.step} disabled={!file} onClick={() => file && details(file)} />
  )
}

function DetailsContent({ file }: { file: FileAnswer }) {
  const w = useWords(drawerWords)
  const { preview } = useFilesPage().commands
  return (
    <Stack gap="md">
      <div className={classes.stage}>
        <Media file={file} />
        <ActionIcon
          className={classes.enlarge}
          variant="default"
          aria-label={w.enlarge}
          onClick={() => preview(file)}
        >
          <IconArrowsMaximize size={16} aria-hidden />
        </ActionIcon>
      </div>
      <Commands file={file} />
      <Fields file={file} />
      <FileRetrievals path={file.path} />
      {may('redaktion') && (
        <section>
          <Title order={3} fz="md" mb="xs">
            {w.versions}
          </Title>
          <Versions path={file.path} />
        </section>
      )}
      <section>
        <Title order={3} fz="md" mb="xs">
          {w.history}
        </Title>
        <FileHistory path={file.path} />
      </section>
    </Stack>
  )
}

function Commands({ file }: { file: FileAnswer }) {
  const label = useLabel()
  const [renaming, setRenaming] = useState(false)
  const page = { ...useFilesPage().commands, rename: () => setRenaming(true) }
  const target = [file]
  const buttons = (place: Command['panel'], looks: object) =>
    COMMAND_LIST.filter(each => each.panel === place && applies(each, target)).map(command => {
      const { icon, run } = command
      const given = { icon, label: label(command, target), onClick: () => run?.(target, page), ...looks }
      if (place === 'main')
        return <SplitButton key={given.label} {...given} command={command} target={target} />
      const Kind = place === 'sign' ? IconButton : SignButton
      return <Kind key={given.label} {...given} variant="default" />
    })
  return (
    <>
      <Group gap="xs">
        {buttons('main', {})}
        {buttons('sign', { size: 36 })}
      </Group>
      {renaming ? (
        <RenameForm target={target} onClose={() => setRenaming(false)} />
      ) : (
        <div className={classes.actions}>{buttons('button', { size: 'xs', px: 'xs' })}</div>
      )}
    </>
  )
}

/** The details of one file: content, commands, properties, retrievals, earlier versions and history. */
import { ActionIcon, Group, Stack, Title } from '@mantine/core'
import { IconArrowsMaximize, IconChevronLeft, IconChevronRight, IconTrash, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { pressedKeysOf } from '../../state/pressed-keys.ts'
import { hasMinimumRole } from '../../state/rights.ts'
import { ButtonWithIcon, IconButton } from '../../ui/buttons.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { RenameForm } from '../actions/rename-dialog.tsx'
import { SplitButton, useCommandLabel } from '../commands/command-menu.tsx'
import { appliesTo, COMMAND_LIST, type Command } from '../commands/commands.tsx'
import { useFilesPage } from '../files-context.ts'
import { DETAILS_ID } from '../focus.ts'
import type { FileAnswer } from '../types.ts'
import { detailsWords } from '../words.ts'
import classes from './details.module.css'
import { FileFields } from './fields.tsx'
import { FileHistory } from './file-history.tsx'
import { Media } from './media.tsx'
import { FileRetrievals } from './retrievals-by-day.tsx'
import { FileVersions } from './versions.tsx'

export default function Details() {
  const { openedFile, commands } = useFilesPage()
  const { file, isGone, error, retry, previousFile, nextFile, close } = openedFile
  const w = useWords(detailsWords)
  const titleId = useId()
  const panel = useRef<HTMLElement>(null)
  // The details get the focus, because they cover the page on a phone.
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])

  const handleKey = (event: KeyboardEvent) => {
    const target = event.target as Element
    // Key presses in a menu that the details have opened arrive here too, because React passes them to the
    // parent component. The menu, which is elsewhere in the document, handles them itself.
    if (event.defaultPrevented || !panel.current?.contains(target)) return
    if (target.closest('input, textarea, video, audio, [aria-expanded="true"]')) return
    const key = pressedKeysOf(event)
    if (key === 'Escape') close()
    else if (key === 'ArrowLeft' && previousFile) commands.showDetails(previousFile)
    else if (key === 'ArrowRight' && nextFile) commands.showDetails(nextFile)
    else return
    event.preventDefault()
  }
  return (
    <aside
      id={DETAILS_ID}
      ref={panel}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      className={classes.details}
      onKeyDown={handleKey}
    >
      <header className={classes.head}>
        <Title order={2} id={titleId} className={classes.name} title={file?.path}>
          <MiddleTruncatedText>{file ? nameOf(file.path) : w.details}</MiddleTruncatedText>
        </Title>
        <StepButton label={w.previous} icon={IconChevronLeft} file={previousFile} />
        <StepButton label={w.next} icon={IconChevronRight} file={nextFile} />
        <ActionIcon variant="subtle" color="gray" aria-label={w.close} onClick={close}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </header>
      <div className={classes.body}>
        <ErrorNotice error={error} onRetry={retry} />
        {isGone && <EmptyState icon={IconTrash} title={w.gone} />}
        {!file && !isGone && !error && <TextSkeleton lineCount={6} />}
        {file && <DetailsContent key={file.id} file={file} />}
      </div>
    </aside>
  )
}

/** A button that opens the details of the previous or next file. */
function StepButton({ file, ...rest }: { label: string; icon: typeof IconX; file: FileAnswer | undefined }) {
  const { showDetails } = useFilesPage().commands
  return (
    <IconButton
      {...rest}
      className={classes.step}
      disabled={!file}
      onClick={() => file && showDetails(file)}
    />
  )
}

function DetailsContent({ file }: { file: FileAnswer }) {
  const w = useWords(detailsWords)
  const { showPreview } = useFilesPage().commands
  return (
    <Stack gap="md">
      <div className={classes.stage}>
        <Media file={file} />
        <ActionIcon
          className={classes.enlarge}
          variant="default"
          aria-label={w.enlarge}
          onClick={() => showPreview(file)}
        >
          <IconArrowsMaximize size={16} aria-hidden />
        </ActionIcon>
      </div>
      <CommandButtons file={file} />
      <FileFields file={file} />
      <FileRetrievals path={file.path} />
      {hasMinimumRole('redaktion') && (
        <section>
          <Title order={3} fz="md" mb="xs">
            {w.versions}
          </Title>
          <FileVersions path={file.path} />
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

function CommandButtons({ file }: { file: FileAnswer }) {
  const labelOf = useCommandLabel()
  const [isRenaming, setRenaming] = useState(false)
  const pageFunctions = { ...useFilesPage().commands, rename: () => setRenaming(true) }
  const target = [file]
  const buttonsIn = (placement: Command['inDetails'], extraProps: object) =>
    COMMAND_LIST.filter(command => command.inDetails === placement && appliesTo(command, target)).map(
      command => {
        const { icon, run } = command
        const buttonProps = {
          icon,
          label: labelOf(command, target),
          onClick: () => run?.(target, pageFunctions),
          ...extraProps,
        }
        if (placement === 'main')
          return <SplitButton key={buttonProps.label} {...buttonProps} command={command} target={target} />
        const ButtonComponent = placement === 'icon' ? IconButton : ButtonWithIcon
        return <ButtonComponent key={buttonProps.label} {...buttonProps} variant="default" />
      },
    )
  return (
    <>
      <Group gap="xs">
        {buttonsIn('main', {})}
        {buttonsIn('icon', { size: 36 })}
      </Group>
      {isRenaming ? (
        <RenameForm target={target} onClose={() => setRenaming(false)} />
      ) : (
        <div className={classes.actions}>{buttonsIn('button', { size: 'xs', px: 'xs' })}</div>
      )}
    </>
  )
}

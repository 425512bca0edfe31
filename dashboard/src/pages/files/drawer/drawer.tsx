/** One file in detail: its picture, its address, its properties and its history. */
import { ActionIcon, Group, Stack, Title } from '@mantine/core'
import {
  IconArrowsMaximize,
  IconChevronLeft,
  IconChevronRight,
  IconCursorText,
  IconDownload,
  IconFolderSymlink,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { keysOf } from '../../../hooks/keys.ts'
import { useWords } from '../../../language/language.tsx'
import { IconButton, SignButton } from '../../../parts/buttons.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { ErrorNotice } from '../../../parts/error-notice.tsx'
import { MiddleCut } from '../../../parts/middle-cut.tsx'
import { nameOf } from '../../../parts/paths.ts'
import { TextSkeleton } from '../../../parts/skeletons.tsx'
import { useDownload } from '../actions/download.ts'
import { RenameForm } from '../actions/rename-form.tsx'
import { retrievalsOf, useRetrievalSentences } from '../actions/retrievals.ts'
import type { Actions } from '../actions/use-actions.ts'
import { CopyMenu } from '../copy-menu.tsx'
import type { FileAnswer } from '../types.ts'
import { actionWords, drawerWords } from '../words.ts'
import classes from './drawer.module.css'
import { Fields } from './fields.tsx'
import { FileHistory } from './file-history.tsx'
import { FileRetrievals } from './file-retrievals.tsx'
import { Media } from './media.tsx'
import type { Opened } from './use-opened.ts'

export interface DrawerProps {
  opened: Opened
  actions: Actions
  hrefOf(folder: string): string
  onShow(file: FileAnswer): void
  onPreview(file: FileAnswer): void
  onMove(file: FileAnswer): void
  onRemove(file: FileAnswer): void
  onClose(): void
}

export function Drawer(props: DrawerProps) {
  const { opened, onShow, onClose } = props
  const { file, gone, error, retry, previous, next } = opened
  const w = useWords(drawerWords)
  const title = useId()
  const panel = useRef<HTMLElement>(null)
  // On a phone the drawer covers the page, so the focus must move into it.
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])

  const press = (event: KeyboardEvent) => {
    const target = event.target as Element
    // A menu of the drawer stands elsewhere in the document, and has its own keys.
    if (event.defaultPrevented || !panel.current?.contains(target)) return
    if (target.closest('input, textarea, video, audio, [aria-expanded="true"]')) return
    const key = keysOf(event)
    if (key === 'Escape') onClose()
    else if (key === 'ArrowLeft' && previous) onShow(previous)
    else if (key === 'ArrowRight' && next) onShow(next)
    else return
    event.preventDefault()
  }
  return (
    <aside
      ref={panel}
      role="dialog"
      aria-labelledby={title}
      tabIndex={-1}
      className={classes.drawer}
      onKeyDown={press}
    >
      <header className={classes.head}>
        <Title order={2} id={title} className={classes.name} title={file?.path}>
          <MiddleCut>{file ? nameOf(file.path) : w.title}</MiddleCut>
        </Title>
        <Step label={w.previous} icon={IconChevronLeft} file={previous} onShow={onShow} />
        <Step label={w.next} icon={IconChevronRight} file={next} onShow={onShow} />
        <ActionIcon variant="subtle" color="gray" aria-label={w.close} onClick={onClose}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </header>
      <div className={classes.body}>
        <ErrorNotice error={error} onRetry={retry} />
        {gone && <EmptyState icon={IconTrash} title={w.gone} />}
        {!file && !gone && !error && <TextSkeleton lines={6} />}
        {file && <Inside key={file.id} {...props} file={file} />}
      </div>
    </aside>
  )
}

interface StepProps {
  label: string
  icon: typeof IconX
  file: FileAnswer | undefined
  onShow(file: FileAnswer): void
}

/** A button that leads to the file before or after this one. */
function Step({ file, onShow, ...rest }: StepProps) {
  return (
    <IconButton {...rest} className={classes.step} disabled={!file} onClick={() => file && onShow(file)} />
  )
}

const ACTION = { variant: 'default', size: 'xs', px: 'xs' } as const

function Inside(props: DrawerProps & { file: FileAnswer }) {
  const { file, actions, hrefOf, onPreview, onMove, onRemove } = props
  const w = useWords(drawerWords)
  const a = useWords(actionWords)
  const { before } = useRetrievalSentences()
  const download = useDownload()
  const [renaming, setRenaming] = useState(false)
  return (
    <Stack gap="md">
      <div className={classes.stage}>
        <Media file={file} />
        <ActionIcon
          className={classes.enlarge}
          variant="default"
          aria-label={w.enlarge}
          onClick={() => onPreview(file)}
        >
          <IconArrowsMaximize size={16} aria-hidden />
        </ActionIcon>
      </div>
      <Group gap="xs">
        <CopyMenu files={[file]} />
        <IconButton
          icon={IconDownload}
          label={a.download}
          variant="default"
          size={36}
          onClick={() => download.files([file])}
        />
      </Group>
      {renaming ? (
        <RenameForm
          name={nameOf(file.path)}
          warning={before(retrievalsOf([file]))}
          onRename={name => actions.rename(file, name)}
          onClose={() => setRenaming(false)}
        />
      ) : (
        <div className={classes.actions}>
          <SignButton {...ACTION} icon={IconCursorText} label={a.rename} onClick={() => setRenaming(true)} />
          <SignButton {...ACTION} icon={IconFolderSymlink} label={a.move} onClick={() => onMove(file)} />
          <SignButton {...ACTION} icon={IconTrash} label={a.remove} onClick={() => onRemove(file)} />
        </div>
      )}
      <Fields file={file} hrefOf={hrefOf} />
      <FileRetrievals path={file.path} />
      <section>
        <Title order={3} fz="md" mb="xs">
          {w.history}
        </Title>
        <FileHistory path={file.path} />
      </section>
    </Stack>
  )
}

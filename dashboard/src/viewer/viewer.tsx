/** One file in full size, with its neighbours and commands. */
import { Modal } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconInfoCircle, IconTrash, IconX } from '@tabler/icons-react'
import { type Ref, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useKeyLabel, useLabel } from '../files/commands/command-menu.tsx'
import { applies, COMMAND_LIST, type CommandPage } from '../files/commands/commands.tsx'
import { Fields } from '../files/details/fields.tsx'
import { useFilesPage } from '../files/files-context.ts'
import type { FileAnswer } from '../files/types.ts'
import { useTexts, useWords } from '../language/language.tsx'
import { nameOf } from '../state/paths.ts'
import { useStored } from '../state/use-stored.ts'
import { IconButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { MiddleCut } from '../ui/files/middle-cut.tsx'
import { isHeld, keysOf } from '../ui/keys/keys.ts'
import { runShortcut, type Shortcut, useShortcuts } from '../ui/keys/use-shortcuts.ts'
import { TextSkeleton } from '../ui/skeletons.tsx'
import { Content } from './content.tsx'
import type { PictureKeys } from './picture.tsx'
import { useNeighbours } from './use-neighbours.ts'
import { useSwipe } from './use-swipe.ts'
import classes from './viewer.module.css'
import { words } from './words.ts'

export default function Viewer() {
  const w = useWords(words)
  const { viewer, commands } = useFilesPage()
  const { file } = viewer.opened
  const root = useRef<HTMLDivElement>(null)
  const keys = useRef<PictureKeys>(null)
  const [showsFacts, setShowsFacts] = useStored('fundus-angaben', false)
  const toggleFacts = () => setShowsFacts(now => !now)
  useNeighbours(viewer.opened)
  const page: CommandPage = { ...commands, remove: () => file && viewer.remove(file) }
  useKeys(root, keys, { page, toggleFacts })
  return (
    <Modal.Root
      opened
      fullScreen
      // Below the dialogs that are opened from it.
      zIndex={190}
      onClose={viewer.close}
      closeOnEscape={false}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Content ref={root} aria-label={file ? nameOf(file.path) : w.preview} className={classes.viewer}>
        <Head page={page} showsFacts={showsFacts} onFacts={toggleFacts} />
        <div className={classes.body}>
          <Middle keys={keys} />
          {file && showsFacts && (
            <aside className={classes.facts} aria-label={w.facts}>
              <Fields file={file} />
            </aside>
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Inside the dialog, which mounts its content late: touch events are handled here. */
function Middle({ keys }: { keys: Ref<PictureKeys> }) {
  const w = useWords(words)
  const { viewer } = useFilesPage()
  const { file, gone, error, retry } = viewer.opened
  const content = useRef<HTMLDivElement>(null)
  useSwipe(content, viewer.step)
  return (
    <div className={classes.middle}>
      <div ref={content} className={classes.content} tabIndex={-1} data-autofocus>
        <ErrorNotice error={error} onRetry={retry} />
        {gone && <EmptyState icon={IconTrash} title={w.gone} />}
        {!file && !gone && !error && <TextSkeleton lines={6} />}
        {file && <Content key={`${file.id} ${file.sha256}`} file={file} keys={keys} />}
      </div>
      <Step step={-1} />
      <Step step={1} />
    </div>
  )
}

function Head({ page, showsFacts, onFacts }: { page: CommandPage; showsFacts: boolean; onFacts(): void }) {
  const { viewer } = useFilesPage()
  const { w, format } = useTexts(words)
  const { file } = viewer.opened
  const { at, total } = viewer.counter ?? {}
  return (
    <header className={classes.head}>
      <div className={classes.title}>
        <h2 className={classes.name} title={file?.path}>
          {file && <MiddleCut>{nameOf(file.path)}</MiddleCut>}
        </h2>
        <span className={classes.counter}>
          {at !== undefined && total !== undefined && w.ofTotal(format.number(at), format.number(total))}
        </span>
      </div>
      {file && (
        <>
          <Tools file={file} page={page} />
          <IconButton
            icon={IconInfoCircle}
            label={w.facts}
            aria-pressed={showsFacts}
            variant={showsFacts ? 'light' : 'subtle'}
            onClick={onFacts}
          />
        </>
      )}
      <IconButton icon={IconX} label={w.close} onClick={viewer.close} />
    </header>
  )
}

const TOOLS = COMMAND_LIST.filter(({ viewer }) => viewer !== undefined)

function Tools({ file, page }: { file: FileAnswer; page: CommandPage }) {
  const label = useLabel()
  return TOOLS.filter(command => applies(command, [file])).map(command => {
    const { icon, viewer: Tool, run } = command
    const name = label(command, [file])
    return typeof Tool === 'function' ? (
      <Tool key={name} file={file} label={name} />
    ) : (
      <IconButton key={name} icon={icon} label={name} onClick={() => run?.([file], page)} />
    )
  })
}

function Step({ step }: { step: 1 | -1 }) {
  const w = useWords(words)
  const { viewer } = useFilesPage()
  return (
    <IconButton
      icon={step === 1 ? IconChevronRight : IconChevronLeft}
      label={step === 1 ? w.next : w.previous}
      signSize={24}
      size={40}
      variant="default"
      className={classes.step}
      data-step={step}
      disabled={!viewer.mayStep(step)}
      onClick={() => viewer.step(step)}
    />
  )
}

interface KeyActions {
  page: CommandPage
  toggleFacts(): void
}

/** Shortcuts that work as on the page below. */
const PAGE_SHORTCUTS = ['?', 'mod+z']

/** Handled before the page below: without focus, its shortcuts would act on cards that nobody sees. */
function useKeys(
  root: RefObject<HTMLElement | null>,
  picture: RefObject<PictureKeys | null>,
  actions: KeyActions,
): void {
  const shortcuts = useTableShortcuts(picture, actions)
  // For the list behind `?`: a dialog keeps its keys from the page.
  useShortcuts(shortcuts)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as Element
    const isNowhere = target === document.body
    if (!isNowhere && !root.current?.contains(target)) return
    if (isNowhere) event.stopPropagation()
    const keys = keysOf(event)
    if (PAGE_SHORTCUTS.includes(keys)) return runShortcut(event)
    // A player has its own use for keys, a button for the space key.
    if (keys !== 'Escape' && target.closest('video, audio')) return
    if (keys === ' ' && target.closest('button, a')) return
    const action = shortcuts.find(each => each.keys === keys)
    if (action && isHeld(event)) return event.preventDefault()
    const isTaken = picture.current?.press(keys) ?? false
    if (!isTaken && !action) return
    event.preventDefault()
    if (!isTaken) action?.run(event)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen, { capture: true })
    return () => removeEventListener('keydown', listen, { capture: true })
  }, [])
}

function useTableShortcuts(
  picture: RefObject<PictureKeys | null>,
  { page, toggleFacts }: KeyActions,
): Shortcut[] {
  const w = useWords(words)
  const { viewer } = useFilesPage()
  const keyLabel = useKeyLabel()
  const { file } = viewer.opened
  const inPicture = (keys: string, label: string) => ({
    keys,
    label,
    run: () => picture.current?.press(keys),
  })
  return [
    { keys: 'ArrowLeft', label: w.previous, run: () => viewer.step(-1) },
    { keys: 'ArrowRight', label: w.next, run: () => viewer.step(1) },
    inPicture('+', w.larger),
    inPicture('-', w.smaller),
    inPicture('0', w.fit),
    inPicture('1', w.original),
    { keys: 'i', label: w.facts, run: toggleFacts },
    ...TOOLS.flatMap(command =>
      command.keys === undefined
        ? []
        : [{ keys: command.keys, label: keyLabel(command), run: () => file && command.run?.([file], page) }],
    ),
    { keys: ' ', label: w.close, run: viewer.close },
    { keys: 'Escape', label: w.close, run: viewer.close },
  ]
}

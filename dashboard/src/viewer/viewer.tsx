/** The viewer: one file in full size, with its commands and the steps to its neighbours. */
import { Modal } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconTrash } from '@tabler/icons-react'
import { type Ref, useRef } from 'react'
import type { CommandPage } from '../files/commands/commands.tsx'
import { FileFields } from '../files/details/fields.tsx'
import { FilesPageContext, useFilesPage } from '../files/files-context.ts'
import { singleFileOf } from '../files/target.ts'
import { useWords } from '../language/language.tsx'
import { nameOf } from '../state/paths.ts'
import { useStored } from '../state/use-stored.ts'
import { IconButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { TextSkeleton } from '../ui/skeletons.tsx'
import { type ContentKeys, ViewerContent } from './content.tsx'
import { DARK_ATTRIBUTES, DarkStage } from './dark-stage.tsx'
import { ViewerHeader } from './head.tsx'
import { usePreloadedNeighbours } from './use-neighbours.ts'
import { type SwipeDirection, useSwipe } from './use-swipe.ts'
import { useViewerKeys } from './use-viewer-keys.ts'
import classes from './viewer.module.css'
import { words } from './words.ts'

export default function Viewer() {
  const page = useFilesPage()
  const { viewer } = page
  // In the viewer, deleting a file also shows another one or closes the viewer, and opening the details also
  // closes it.
  const commands: CommandPage = {
    ...page.commands,
    remove(target) {
      const file = singleFileOf(target)
      if (file) viewer.remove(file)
    },
    showDetails: viewer.toDetails,
  }
  return (
    <FilesPageContext value={{ ...page, commands }}>
      <DarkStage>
        <OpenViewer />
      </DarkStage>
    </FilesPageContext>
  )
}

function OpenViewer() {
  const w = useWords(words)
  const { viewer } = useFilesPage()
  const { file } = viewer.opened
  const root = useRef<HTMLDivElement>(null)
  const contentKeys = useRef<ContentKeys>(null)
  const [showsFacts, setShowsFacts] = useStored('fundus-angaben', false)
  const toggleFacts = () => setShowsFacts(now => !now)
  usePreloadedNeighbours(viewer.neighbours)
  useViewerKeys(root, contentKeys, toggleFacts)
  const swipe = (direction: SwipeDirection) => {
    if (direction === 'left') viewer.step(1)
    else if (direction === 'right') viewer.step(-1)
    else if (direction === 'up') setShowsFacts(true)
    else if (showsFacts) setShowsFacts(false)
    else viewer.close()
  }
  return (
    <Modal.Root
      opened
      fullScreen
      // Below the dialogs that are opened from the viewer.
      zIndex={190}
      onClose={viewer.close}
      closeOnEscape={false}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Content
        ref={root}
        aria-label={file ? nameOf(file.path) : w.preview}
        className={classes.viewer}
        {...DARK_ATTRIBUTES}
      >
        <ViewerHeader showsFacts={showsFacts} onFacts={toggleFacts} />
        <div className={classes.body}>
          <ViewerMiddle keys={contentKeys} onSwipe={swipe} />
          {file && showsFacts && (
            <aside className={classes.facts} aria-label={w.facts}>
              <FileFields file={file} />
            </aside>
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

interface ViewerMiddleProps {
  keys: Ref<ContentKeys>
  onSwipe(direction: SwipeDirection): void
}

/**
 * The content of the viewer with the buttons for the previous and next file; also handles swipes. This is a
 * component of its own because the dialog renders its content late, and the listeners need the element.
 */
function ViewerMiddle({ keys, onSwipe }: ViewerMiddleProps) {
  const w = useWords(words)
  const { viewer } = useFilesPage()
  const { file, isGone, error, retry } = viewer.opened
  const content = useRef<HTMLDivElement>(null)
  useSwipe(content, onSwipe)
  return (
    <div className={classes.middle}>
      <div ref={content} className={classes.content} tabIndex={-1} data-autofocus>
        <ErrorNotice error={error} onRetry={retry} />
        {isGone && <EmptyState icon={IconTrash} title={w.gone} />}
        {!file && !isGone && !error && <TextSkeleton lines={6} />}
        {file && <ViewerContent key={`${file.id} ${file.sha256}`} file={file} keys={keys} />}
      </div>
      <StepButton step={-1} />
      <StepButton step={1} />
    </div>
  )
}

function StepButton({ step }: { step: 1 | -1 }) {
  const w = useWords(words)
  const { viewer } = useFilesPage()
  return (
    <IconButton
      icon={step === 1 ? IconChevronRight : IconChevronLeft}
      label={step === 1 ? w.next : w.previous}
      iconSize={24}
      size={40}
      variant="default"
      className={classes.step}
      data-step={step}
      disabled={!viewer.mayStep(step)}
      onClick={() => viewer.step(step)}
    />
  )
}

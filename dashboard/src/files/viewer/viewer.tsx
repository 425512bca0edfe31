/**
 * The viewer: shows one file in full size, with its commands, and with buttons for the previous and next
 * file.
 */
import { Modal } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconTrash } from '@tabler/icons-react'
import { type Ref, useRef } from 'react'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useStoredState } from '../../state/use-stored.ts'
import { IconButton } from '../../ui/buttons.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { FileFields } from '../details/fields.tsx'
import { FilesPageContext, type PageFunctions, useFilesPage } from '../files-context.ts'
import { singleFileOf } from '../target.ts'
import { ViewerContent } from './content.tsx'
import type { ContentKeyHandler } from './content-props.ts'
import { DARK_ATTRIBUTES, DarkStage } from './dark-stage.tsx'
import { ViewerHeader } from './head.tsx'
import { usePreloadNeighbours } from './use-preload-neighbours.ts'
import { type SwipeDirection, useSwipe } from './use-swipe.ts'
import { useViewerKeys } from './use-viewer-keys.ts'
import classes from './viewer.module.css'
import { words } from './words.ts'

export default function Viewer() {
  const page = useFilesPage()
  const { viewer } = page
  // In the viewer, deleting a file also shows the next or previous one, or closes the viewer if there is
  // none. Opening the details also closes the viewer.
  const commands: PageFunctions = {
    ...page.commands,
    remove(target) {
      const file = singleFileOf(target)
      if (file) viewer.remove(file)
    },
    showDetails: viewer.openDetails,
  }
  return (
    <FilesPageContext value={{ ...page, commands }}>
      <DarkStage>
        <ViewerModal />
      </DarkStage>
    </FilesPageContext>
  )
}

function ViewerModal() {
  const w = useWords(words)
  const { viewer } = useFilesPage()
  const { file } = viewer.openedFile
  const root = useRef<HTMLDivElement>(null)
  const contentKeyHandler = useRef<ContentKeyHandler>(null)
  const [showsInfo, setShowsInfo] = useStoredState('fundus-angaben', false)
  const toggleInfo = () => setShowsInfo(isShown => !isShown)
  usePreloadNeighbours(viewer.neighbours)
  useViewerKeys(root, contentKeyHandler, toggleInfo)
  const handleSwipe = (direction: SwipeDirection) => {
    if (direction === 'left') viewer.step(1)
    else if (direction === 'right') viewer.step(-1)
    else if (direction === 'up') setShowsInfo(true)
    else if (showsInfo) setShowsInfo(false)
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
        <ViewerHeader showsInfo={showsInfo} onToggleInfo={toggleInfo} />
        <div className={classes.body}>
          <ViewerMiddle keyHandlerRef={contentKeyHandler} onSwipe={handleSwipe} />
          {file && showsInfo && (
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
  keyHandlerRef: Ref<ContentKeyHandler>
  onSwipe(direction: SwipeDirection): void
}

/**
 * The content of the viewer with the buttons for the previous and next file; also handles swipes. This is a
 * component of its own because `useSwipe` needs the element, and the dialog renders its content late.
 */
function ViewerMiddle({ keyHandlerRef, onSwipe }: ViewerMiddleProps) {
  const w = useWords(words)
  const { viewer } = useFilesPage()
  const { file, isGone, error, retry } = viewer.openedFile
  const content = useRef<HTMLDivElement>(null)
  useSwipe(content, onSwipe)
  return (
    <div className={classes.middle}>
      <div ref={content} className={classes.content} tabIndex={-1} data-autofocus>
        <ErrorNotice error={error} onRetry={retry} />
        {isGone && <EmptyState icon={IconTrash} title={w.gone} />}
        {!file && !isGone && !error && <TextSkeleton lineCount={6} />}
        {file && (
          <ViewerContent key={`${file.id} ${file.sha256}`} file={file} keyHandlerRef={keyHandlerRef} />
        )}
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
      disabled={!viewer.canStep(step)}
      onClick={() => viewer.step(step)}
    />
  )
}

/**
 * The panel of uploads: totals, then each file. Some seconds after everything was stored, it closes by
 * itself, and only the ring in the top bar remains. It stays open while the pointer or the focus is in it,
 * and if anything was not stored.
 */
import {
  Button,
  CloseButton,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core'
import { IconChevronUp } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTexts, useWords } from '../../language/language.tsx'
import { useObservable } from '../../state/observable.ts'
import { IconButton } from '../../ui/buttons.tsx'
import { ProgressBar } from '../../ui/charts/progress-bar.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { VirtualRows } from '../../ui/lists/virtual-rows.tsx'
import { canRetry, hasProblem, type UploadItem, type UploadsState } from '../queue/queue-state.ts'
import classes from '../uploads.module.css'
import { isPanelOpen, uploadQueue, uploadsState } from '../uploads.ts'
import { words } from '../words.ts'
import { UploadHold } from './upload-hold.tsx'
import { UploadRow } from './upload-row.tsx'

const ROW_HEIGHT = 60

export default function UploadPanel() {
  const w = useWords(words)
  const state = useObservable(uploadsState)
  const isOpen = useObservable(isPanelOpen)
  const [filterChoice, setFilterChoice] = useState<boolean | null>(null)
  const panel = useRef<HTMLElement>(null)
  const summary = useSummary(state)
  useAutoClose(panel, isOpen, state)
  if (!isOpen || state.items.length === 0) return null
  // Once all uploads have ended, only those with problems are shown by default, if there are any.
  const showsOnlyProblems = (filterChoice ?? state.activeCount === 0) && state.problemCount > 0
  const shownItems = showsOnlyProblems ? state.items.filter(hasProblem) : state.items
  return (
    <section ref={panel} className={classes.panel} aria-label={w.list} data-uploads>
      <PanelHeader state={state} summary={summary} />
      {state.problemCount > 0 && (
        <ProblemFilter
          problemCount={state.problemCount}
          showsOnlyProblems={showsOnlyProblems}
          onChange={setFilterChoice}
        />
      )}
      <VirtualRows
        label={w.list}
        items={shownItems}
        itemKey={item => item.id}
        rowHeight={ROW_HEIGHT}
        maxHeight="min(392px, calc(100dvh - 320px))"
      >
        {item => <UploadRow item={item} />}
      </VirtualRows>
      <PanelActions state={state} />
    </section>
  )
}

/** Milliseconds for which the panel stays open after everything was stored. */
const AUTO_CLOSE_DELAY_MS = 6_000
/** Milliseconds between two checks whether the pointer or the focus is in the panel, which keeps it open. */
const CHECK_INTERVAL_MS = 1_000

/**
 * Closes the panel some seconds after all uploads have ended, if every upload in the list was stored. If the
 * user then opens it again, it stays open until further uploads have ended.
 */
function useAutoClose(panel: RefObject<HTMLElement | null>, isOpen: boolean, state: UploadsState): void {
  const { run: runNumber, activeCount, items } = state
  const lastRun = useRef(0)
  const isComplete = activeCount === 0 && items.length > 0 && items.every(isFullyStored)
  useEffect(() => {
    if (!isOpen || !isComplete || lastRun.current === runNumber) return
    let timer = setTimeout(closeUnlessInUse, AUTO_CLOSE_DELAY_MS)
    function closeUnlessInUse() {
      if (panel.current?.matches(':hover, :focus-within'))
        timer = setTimeout(closeUnlessInUse, CHECK_INTERVAL_MS)
      else {
        lastRun.current = runNumber
        isPanelOpen.set(false)
      }
    }
    return () => clearTimeout(timer)
  }, [panel, isOpen, isComplete, runNumber])
}

const isFullyStored = ({ stage, refusedEntries }: UploadItem) =>
  stage === 'stored' && refusedEntries.length === 0

/** Maximum number of names of failed files in the header; the others are only counted. */
const MAX_LISTED_NAMES = 5

/**
 * A sentence with the names of the files that were refused or omitted, including refused entries of archives.
 * Empty if there are no such files, and while uploads wait or are being sent.
 */
function useFailedNamesText({ items, activeCount }: UploadsState): string {
  const { w, format } = useTexts(words)
  if (activeCount > 0) return ''
  const names = items
    .filter(hasProblem)
    .flatMap(({ job, refusedEntries }) =>
      refusedEntries.length > 0 ? refusedEntries.map(({ name }) => name) : [job.name],
    )
  if (names.length === 0) return ''
  const firstNames = names.slice(0, MAX_LISTED_NAMES).join(', ')
  const moreCount = names.length - MAX_LISTED_NAMES
  return moreCount > 0
    ? w.notUploadedAndMore(firstNames, format.number(moreCount))
    : w.notUploaded(firstNames)
}

/**
 * The summary in the header, such as „3 von 12 hochgeladen“ or, at the end, „12 Dateien hochgeladen, 2
 * nicht“.
 */
function useSummary({ items, activeCount, currentRun, problemCount }: UploadsState): string {
  const { w, format } = useTexts(words)
  if (activeCount > 0) return w.progress(format.number(currentRun.stored), format.number(currentRun.total))
  const fileCount = items.reduce((sum, item) => sum + item.storedFiles.length, 0)
  const storedText = fileCount === 0 ? w.nothingStored : w.stored(fileCount, format.number(fileCount))
  return problemCount === 0 || fileCount === 0
    ? storedText
    : `${storedText}, ${w.notStored(format.number(problemCount))}`
}

function PanelHeader({ state, summary }: { state: UploadsState; summary: string }) {
  const { w, format } = useTexts(words)
  const { activeCount, bytes, speed, remainingMs } = state
  const failedNames = useFailedNamesText(state)
  const hide = () => isPanelOpen.set(false)
  const close = () => {
    uploadQueue.clear()
    hide()
  }
  return (
    <Group wrap="nowrap" align="flex-start" gap="xs" className={classes.header}>
      <Stack gap={0} flex={1} miw={0}>
        {activeCount > 0 ? (
          <ProgressBar
            label={summary}
            done={bytes.sent}
            total={bytes.total}
            progressText={w.ofTotal(format.bytes(bytes.sent), format.bytes(bytes.total))}
            speed={speed}
            remainingMs={remainingMs}
          />
        ) : (
          <Text fw={600}>{summary}</Text>
        )}
        {failedNames !== '' && <DimmedText className={classes.left}>{failedNames}</DimmedText>}
        <UploadHold state={state} />
        <VisuallyHidden role="status">
          {activeCount === 0 ? `${summary} ${failedNames}`.trim() : ''}
        </VisuallyHidden>
      </Stack>
      {activeCount > 0 ? (
        <IconButton icon={IconChevronUp} label={w.minimise} onClick={hide} />
      ) : (
        <Tooltip label={w.clear}>
          <CloseButton aria-label={w.clear} onClick={close} />
        </Tooltip>
      )}
    </Group>
  )
}

interface ProblemFilterProps {
  problemCount: number
  showsOnlyProblems: boolean
  onChange(showsOnlyProblems: boolean): void
}

function ProblemFilter({ problemCount, showsOnlyProblems, onChange }: ProblemFilterProps) {
  const { w, format } = useTexts(words)
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      mx="md"
      mb="xs"
      value={showsOnlyProblems ? 'problems' : 'all'}
      onChange={choice => onChange(choice === 'problems')}
      data={[
        { value: 'all', label: w.all },
        { value: 'problems', label: w.problems(format.number(problemCount)) },
      ]}
    />
  )
}

function PanelActions({ state: { items, activeCount, isPaused } }: { state: UploadsState }) {
  const w = useWords(words)
  const storedItems = items.filter(item => item.storedFiles.length > 0)
  return (
    <Group gap="xs" className={classes.actions}>
      {activeCount > 0 && (
        <>
          <Button size="xs" variant="default" onClick={isPaused ? uploadQueue.resume : uploadQueue.pause}>
            {isPaused ? w.resume : w.pause}
          </Button>
          <Button size="xs" variant="default" onClick={uploadQueue.cancelAll}>
            {w.cancelAll}
          </Button>
        </>
      )}
      {items.some(canRetry) && (
        <Button size="xs" variant="default" onClick={uploadQueue.retryAll}>
          {w.retryAll}
        </Button>
      )}
      {storedItems.length > 0 && (
        <CopyButton size="xs" value={() => addressesOf(storedItems)} label={w.copyAddresses} />
      )}
    </Group>
  )
}

/** The addresses of all files that these uploads have stored, one per line. */
const addressesOf = (items: readonly UploadItem[]) =>
  items.flatMap(item => item.storedFiles.map(({ url }) => url)).join('\n')

/**
 * The list of uploads: totals, then each file. Pages make room for it. It closes by itself once everything is
 * stored, and then only the ring remains; it stays open if there are problems.
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
import { VirtualRows } from '../../ui/lists/virtual-rows.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { canRetry, isProblem, type UploadItem, type UploadsState } from '../queue/queue-state.ts'
import classes from '../uploads.module.css'
import { isPanelOpen, queue, uploadsState } from '../uploads.ts'
import { words } from '../words.ts'
import { UploadHold } from './upload-hold.tsx'
import { UploadRow } from './upload-row.tsx'

const ROW = 60

export default function UploadPanel() {
  const w = useWords(words)
  const state = useObservable(uploadsState)
  const opened = useObservable(isPanelOpen)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const panel = useRef<HTMLElement>(null)
  const summary = useSummary(state)
  useFolding(panel, opened, state)
  if (!opened || state.items.length === 0) return null
  // Once nothing is being sent, only the uploads with problems are shown by default.
  const onlyProblems = (chosen ?? state.active === 0) && state.problems > 0
  const shown = onlyProblems ? state.items.filter(isProblem) : state.items
  return (
    <section ref={panel} className={classes.panel} aria-label={w.list} data-uploads>
      <Header state={state} summary={summary} />
      {state.problems > 0 && <Filter problems={state.problems} value={onlyProblems} onChange={setChosen} />}
      <VirtualRows
        label={w.list}
        items={shown}
        itemKey={item => item.id}
        rowHeight={ROW}
        maxHeight="min(392px, calc(100dvh - 320px))"
      >
        {item => <UploadRow item={item} />}
      </VirtualRows>
      <Actions state={state} />
    </section>
  )
}

/** Milliseconds for which the panel stays open after everything was stored. */
const SHOWN_FOR = 6_000
/** Milliseconds between two checks whether pointer and focus have left the panel. */
const LOOK_AGAIN = 1_000

/** Closes the panel once after each run in which everything was stored. */
function useFolding(panel: RefObject<HTMLElement | null>, opened: boolean, state: UploadsState): void {
  const { run, active, items } = state
  const lastRun = useRef(0)
  const isComplete = active === 0 && items.length > 0 && items.every(isStored)
  useEffect(() => {
    if (!opened || !isComplete || lastRun.current === run) return
    let timer = setTimeout(fold, SHOWN_FOR)
    function fold() {
      if (panel.current?.matches(':hover, :focus-within')) timer = setTimeout(fold, LOOK_AGAIN)
      else {
        lastRun.current = run
        isPanelOpen.set(false)
      }
    }
    return () => clearTimeout(timer)
  }, [panel, opened, isComplete, run])
}

const isStored = ({ stage, refused }: UploadItem) => stage === 'stored' && refused.length === 0

/** Maximum number of names in the summary; the list below has all of them. */
const MAX_NAMES = 5

/** The names of the files that were not stored; of an archive, those of its entries. */
function useLeftNames({ items, active }: UploadsState): string {
  const { w, format } = useTexts(words)
  if (active > 0) return ''
  const names = items
    .filter(isProblem)
    .flatMap(({ job, refused }) => (refused.length > 0 ? refused.map(({ name }) => name) : [job.name]))
  if (names.length === 0) return ''
  const first = names.slice(0, MAX_NAMES).join(', ')
  const more = names.length - MAX_NAMES
  return more > 0 ? w.leftAndMore(first, format.number(more)) : w.left(first)
}

/** The summary in the header, such as „12 Dateien hochgeladen, 2 nicht“. */
function useSummary({ items, active, current, problems }: UploadsState): string {
  const { w, format } = useTexts(words)
  if (active > 0) return w.progress(format.number(current.stored), format.number(current.total))
  const files = items.reduce((sum, item) => sum + item.stored.length, 0)
  const good = files === 0 ? w.nothingStored : w.stored(files, format.number(files))
  return problems === 0 || files === 0 ? good : `${good}, ${w.notStored(format.number(problems))}`
}

function Header({ state, summary }: { state: UploadsState; summary: string }) {
  const { w, format } = useTexts(words)
  const { active, bytes, speed, remaining } = state
  const left = useLeftNames(state)
  const hide = () => isPanelOpen.set(false)
  const close = () => {
    queue.clear()
    hide()
  }
  return (
    <Group wrap="nowrap" align="flex-start" gap="xs" className={classes.header}>
      <Stack gap={0} flex={1} miw={0}>
        {active > 0 ? (
          <ProgressBar
            label={summary}
            done={bytes.sent}
            total={bytes.total}
            figures={w.ofTotal(format.bytes(bytes.sent), format.bytes(bytes.total))}
            speed={speed}
            remaining={remaining}
          />
        ) : (
          <Text fw={600}>{summary}</Text>
        )}
        {left !== '' && <Quiet className={classes.left}>{left}</Quiet>}
        <UploadHold state={state} />
        <VisuallyHidden role="status">{active === 0 ? `${summary} ${left}`.trim() : ''}</VisuallyHidden>
      </Stack>
      {active > 0 ? (
        <IconButton icon={IconChevronUp} label={w.minimise} onClick={hide} />
      ) : (
        <Tooltip label={w.clear}>
          <CloseButton aria-label={w.clear} onClick={close} />
        </Tooltip>
      )}
    </Group>
  )
}

interface FilterProps {
  problems: number
  value: boolean
  onChange(only: boolean): void
}

function Filter({ problems, value, onChange }: FilterProps) {
  const { w, format } = useTexts(words)
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      mx="md"
      mb="xs"
      value={value ? 'problems' : 'all'}
      onChange={next => onChange(next === 'problems')}
      data={[
        { value: 'all', label: w.all },
        { value: 'problems', label: w.problems(format.number(problems)) },
      ]}
    />
  )
}

function Actions({ state: { items, active, isPaused } }: { state: UploadsState }) {
  const w = useWords(words)
  const stored = items.filter(item => item.stored.length > 0)
  return (
    <Group gap="xs" className={classes.actions}>
      {active > 0 && (
        <>
          <Button size="xs" variant="default" onClick={isPaused ? queue.resume : queue.pause}>
            {isPaused ? w.resume : w.pause}
          </Button>
          <Button size="xs" variant="default" onClick={queue.cancelAll}>
            {w.cancelAll}
          </Button>
        </>
      )}
      {items.some(canRetry) && (
        <Button size="xs" variant="default" onClick={queue.retryAll}>
          {w.retryAll}
        </Button>
      )}
      {stored.length > 0 && (
        <CopyButton size="xs" value={() => addressesOf(stored)} label={w.copyAddresses} />
      )}
    </Group>
  )
}

/** The addresses of all stored files, one per line. */
const addressesOf = (items: readonly UploadItem[]) =>
  items.flatMap(item => item.stored.map(({ url }) => url)).join('\n')

/**
 * The section of a task that makes missing previews or WebP variants of all files. The window that starts it
 * requests one round after another; each round processes some of the files.
 */
import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { post } from '../../api/client.ts'
import { isRetryable } from '../../api/error.ts'
import { useEvents } from '../../api/events.tsx'
import { useTexts, useWords } from '../../language/language.tsx'
import { useObservable } from '../../state/observable.ts'
import { useProgressEstimate } from '../../ui/charts/meter.ts'
import { ProgressBar } from '../../ui/charts/progress-bar.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { createPass, type Pass, type PassState } from './pass.ts'
import { StateLine } from './state-line.tsx'
import { TaskSection } from './task-section.tsx'
import { roundWords } from './words.ts'

type RoundTask = 'thumbs' | 'webp'

const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
const createTaskPass = (task: RoundTask) =>
  createPass({
    requestRound: () => post(`maintenance/${task}`),
    isRetryable,
    pause: wait,
    now: () => Date.now(),
  })

/** The passes of the two tasks in this window, which continue while other pages are open. */
const PASSES: Readonly<Record<RoundTask, Pass>> = {
  thumbs: createTaskPass('thumbs'),
  webp: createTaskPass('webp'),
}

export function RoundSection({ task, icon }: { task: RoundTask; icon: Icon }) {
  const w = useWords(roundWords)
  const pass = PASSES[task]
  const state = useObservable(pass)
  useEvents('fortschritt', ({ aufgabe, ...progress }) => aufgabe === task && pass.onProgress(progress))
  return (
    <TaskSection
      icon={icon}
      title={w[task]}
      description={w[`${task}Description`]}
      action={<PassButton task={task} pass={pass} state={state} />}
      state={<PassOutcome task={task} state={state} />}
    >
      {isInProgress(state) && <PassProgressBar task={task} state={state} />}
      {state.phase === 'failed' && <ErrorNotice error={state.error} />}
    </TaskSection>
  )
}

type PassInProgress = Extract<PassState, { total: unknown }>
const isInProgress = (state: PassState): state is PassInProgress => 'total' in state

/**
 * The button that starts, stops and resumes a pass. It is always the same element, so that it keeps the
 * focus.
 */
function PassButton({ task, pass, state }: { task: RoundTask; pass: Pass; state: PassState }) {
  const w = useWords(roundWords)
  const { phase } = state
  const isRunning = phase === 'running' || phase === 'stopping'
  const isResumable = phase === 'stopped' || phase === 'failed'
  const label = isRunning
    ? phase === 'stopping'
      ? w.stopping
      : w.stop
    : isResumable
      ? w.resume
      : w[`${task}Start`]
  return (
    <Button
      variant="default"
      // `disabled` is not used, because it would remove the focus.
      aria-disabled={phase === 'stopping'}
      {...(phase === 'stopping' && { 'data-disabled': true })}
      aria-label={isRunning || isResumable ? `${w[task]}: ${label}` : label}
      onClick={() => (isRunning ? pass.stop() : void pass.start())}
    >
      {label}
    </Button>
  )
}

function PassOutcome({ task, state }: { task: RoundTask; state: PassState }) {
  const { w, format } = useTexts(roundWords)
  if (state.phase === 'done') {
    const { done } = state
    return (
      <StateLine kind="good">
        {done === 0 ? w[`${task}Complete`] : w.done(done, format.number(done))}
      </StateLine>
    )
  }
  if (state.phase === 'stopped')
    return (
      <StateLine kind="plain">
        {w.stopped(format.number(state.done), format.number(state.openCount))}
      </StateLine>
    )
  if (state.phase === 'failed')
    return <StateLine kind="warn">{w.failed(format.number(state.done))}</StateLine>
  return null
}

function PassProgressBar({ task, state }: { task: RoundTask; state: PassInProgress }) {
  const { w, format } = useTexts(roundWords)
  const { phase, done, total } = state
  const { speed, remainingMs: remaining } = useProgressEstimate(done, total)
  const speedText = speed === null ? undefined : w.perSecond(format.number(Math.max(1, Math.round(speed))))
  const note = phase === 'stopping' ? w.stoppingNote : speedText
  return (
    <ProgressBar
      label={phase === 'elsewhere' ? w.elsewhere : w[`${task}Running`]}
      done={done}
      total={total}
      progressText={total === null ? w.looking : w.ofTotal(format.number(done), format.number(total))}
      {...(note !== undefined && { detailText: note })}
      remainingMs={phase === 'stopping' ? null : remaining}
    />
  )
}

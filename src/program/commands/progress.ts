/**
 * Shows the progress of a long command on standard error, so that standard output contains only the result.
 * At a terminal it is a bar, otherwise a line now and then.
 */
import type { Speech } from '../speech.ts'

/** Minimum milliseconds between two drawings of the bar at a terminal, otherwise between two lines. */
const DRAW_INTERVAL = 100
const LINE_INTERVAL = 10_000
/** Width of the bar in characters. */
const BAR_WIDTH = 24

export type ProgressUnit = 'bytes' | 'files'

export interface ProgressOptions {
  label: string
  unit: ProgressUnit
  speech: Speech
  write: (text: string) => void
  terminal?: boolean
  now?: () => number
}

export function createProgress(options: ProgressOptions) {
  const { label, unit, speech, write, terminal = process.stderr.isTTY === true, now = Date.now } = options
  const startedAt = now()
  let lastShownAt = terminal ? Number.NEGATIVE_INFINITY : startedAt
  const { say } = speech
  const formatAmount = unit === 'bytes' ? speech.bytes : speech.number

  function progressText(done: number, total: number | null): string {
    const seconds = (now() - startedAt) / 1000
    const speedText = seconds >= 1 ? ` · ${formatAmount(Math.round(done / seconds))}/s` : ''
    if (total === null || total === 0) return `${label}: ${formatAmount(done)}${speedText}`
    const remainingTime = () => durationText((seconds * (total - done)) / done)
    const remainingText =
      seconds >= 2 && done > 0 ? ` · ${say(`noch ${remainingTime()}`, `${remainingTime()} left`)}` : ''
    const percent = Math.min(100, Math.floor((100 * done) / total))
    return `${label}: ${bar(done / total)}${percent} % · ${formatAmount(done)} ${say('von', 'of')} ${formatAmount(total)}${speedText}${remainingText}`
  }

  const bar = (share: number) => {
    if (!terminal) return ''
    const filledWidth = Math.max(0, Math.min(BAR_WIDTH, Math.round(share * BAR_WIDTH)))
    return `${'█'.repeat(filledWidth)}${'░'.repeat(BAR_WIDTH - filledWidth)} `
  }

  return {
    /** `total`: null while unknown. */
    update(done: number, total: number | null) {
      if (now() - lastShownAt < (terminal ? DRAW_INTERVAL : LINE_INTERVAL)) return
      lastShownAt = now()
      write(terminal ? `\r\x1b[2K${progressText(done, total)}` : `${progressText(done, total)}\n`)
    },
    /** Removes the bar; the command itself prints its result. */
    end() {
      if (terminal) write('\r\x1b[2K')
    },
  }
}

function durationText(seconds: number): string {
  const wholeSeconds = Math.ceil(seconds)
  if (wholeSeconds < 60) return `${wholeSeconds} s`
  if (wholeSeconds < 3600) return `${Math.ceil(wholeSeconds / 60)} min`
  return `${Math.floor(wholeSeconds / 3600)} h ${Math.floor((wholeSeconds % 3600) / 60)} min`
}

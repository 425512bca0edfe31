/**
 * Shows the progress of a long command on standard error, so that standard output contains only the result.
 * At a terminal it is a bar, otherwise a line now and then.
 */
import type { Formatter } from '../formatter.ts'

/** Minimum milliseconds between two drawings of the bar, and between two lines if there is no terminal. */
const DRAW_INTERVAL = 100
const LINE_INTERVAL = 10_000
/** Width of the bar in characters. */
const BAR_WIDTH = 24

export type ProgressUnit = 'bytes' | 'files'

export interface ProgressOptions {
  label: string
  unit: ProgressUnit
  formatter: Formatter
  write: (text: string) => void
  isTerminal?: boolean
  now?: () => number
}

export function createProgress(options: ProgressOptions) {
  const {
    label,
    unit,
    formatter,
    write,
    isTerminal = process.stderr.isTTY === true,
    now = Date.now,
  } = options
  const startedAt = now()
  let lastShownAt = isTerminal ? Number.NEGATIVE_INFINITY : startedAt
  const { localize } = formatter
  const formatAmount = unit === 'bytes' ? formatter.formatSize : formatter.formatNumber

  function progressText(doneAmount: number, total: number | null): string {
    const elapsedSeconds = (now() - startedAt) / 1000
    const speedText =
      elapsedSeconds >= 1 ? ` · ${formatAmount(Math.round(doneAmount / elapsedSeconds))}/s` : ''
    if (total === null || total === 0) return `${label}: ${formatAmount(doneAmount)}${speedText}`
    const remainingTime = () => durationText((elapsedSeconds * (total - doneAmount)) / doneAmount)
    const remainingText =
      elapsedSeconds >= 2 && doneAmount > 0
        ? ` · ${localize(`noch ${remainingTime()}`, `${remainingTime()} left`)}`
        : ''
    const percent = Math.min(100, Math.floor((100 * doneAmount) / total))
    return `${label}: ${barText(doneAmount / total)}${percent} % · ${formatAmount(doneAmount)} ${localize('von', 'of')} ${formatAmount(total)}${speedText}${remainingText}`
  }

  const barText = (fraction: number) => {
    if (!isTerminal) return ''
    const filledWidth = Math.max(0, Math.min(BAR_WIDTH, Math.round(fraction * BAR_WIDTH)))
    return `${'█'.repeat(filledWidth)}${'░'.repeat(BAR_WIDTH - filledWidth)} `
  }

  return {
    /**
     * Shows the amounts, in `unit`, at most once per `DRAW_INTERVAL` or `LINE_INTERVAL`. `total`: null while
     * unknown.
     */
    update(doneAmount: number, total: number | null) {
      if (now() - lastShownAt < (isTerminal ? DRAW_INTERVAL : LINE_INTERVAL)) return
      lastShownAt = now()
      write(
        isTerminal ? `\r\x1b[2K${progressText(doneAmount, total)}` : `${progressText(doneAmount, total)}\n`,
      )
    },
    /** Removes the bar; the command itself prints its result. */
    end() {
      if (isTerminal) write('\r\x1b[2K')
    },
  }
}

function durationText(seconds: number): string {
  const wholeSeconds = Math.ceil(seconds)
  if (wholeSeconds < 60) return `${wholeSeconds} s`
  if (wholeSeconds < 3600) return `${Math.ceil(wholeSeconds / 60)} min`
  return `${Math.floor(wholeSeconds / 3600)} h ${Math.floor((wholeSeconds % 3600) / 60)} min`
}

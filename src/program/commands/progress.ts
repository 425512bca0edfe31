/**
 * Shows the progress of a long command: a bar at a terminal, otherwise a line now and then. It is written to
 * standard error, so that standard output contains only the result.
 */
import type { Speech } from '../speech.ts'

const DRAW_EVERY = 100
const SAY_EVERY = 10_000
const WIDTH = 24

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
  const started = now()
  let shown = terminal ? Number.NEGATIVE_INFINITY : started
  const { say } = speech
  const amount = unit === 'bytes' ? speech.bytes : speech.number

  function sentence(done: number, total: number | null): string {
    const seconds = (now() - started) / 1000
    const speed = seconds >= 1 ? ` · ${amount(Math.round(done / seconds))}/s` : ''
    if (total === null || total === 0) return `${label}: ${amount(done)}${speed}`
    const rest = () => duration((seconds * (total - done)) / done)
    const left = seconds >= 2 && done > 0 ? ` · ${say(`noch ${rest()}`, `${rest()} left`)}` : ''
    const percent = Math.min(100, Math.floor((100 * done) / total))
    return `${label}: ${bar(done / total)}${percent} % · ${amount(done)} ${say('von', 'of')} ${amount(total)}${speed}${left}`
  }

  const bar = (share: number) => {
    if (!terminal) return ''
    const full = Math.max(0, Math.min(WIDTH, Math.round(share * WIDTH)))
    return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} `
  }

  return {
    /** `total`: null while unknown. */
    at(done: number, total: number | null) {
      if (now() - shown < (terminal ? DRAW_EVERY : SAY_EVERY)) return
      shown = now()
      write(terminal ? `\r\x1b[2K${sentence(done, total)}` : `${sentence(done, total)}\n`)
    },
    /** Removes the bar; the command itself prints its result. */
    end() {
      if (terminal) write('\r\x1b[2K')
    },
  }
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.ceil(whole / 60)} min`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

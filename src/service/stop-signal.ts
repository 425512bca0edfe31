/** The signals that ask a process to stop. */
import type { Log } from '../base/log.ts'

/** Numbers for the exit code after a second signal: 128 + number, as for a process that a signal killed. */
const SIGNAL_NUMBERS = { SIGTERM: 15, SIGINT: 2, SIGBREAK: 21, SIGHUP: 1 } as const
type StopSignal = keyof typeof SIGNAL_NUMBERS
/**
 * Windows has no SIGTERM. A terminal there gives Ctrl+C (SIGINT), Ctrl+Break (SIGBREAK) or notice that its
 * window closes (SIGHUP); service managers such as WinSW and NSSM give Ctrl+C.
 */
const STOP_SIGNALS: readonly StopSignal[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGTERM', 'SIGINT']

/**
 * Resolves at the first signal. A second signal ends the process at once, after `atOnce`: the operator does
 * not want to wait.
 */
export function onStopSignal(log: Log, atOnce: () => void = () => {}): Promise<void> {
  return new Promise(resolve => {
    let asked = false
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        if (asked) {
          log.warn('stopped at once', { signal })
          atOnce()
          process.exit(128 + SIGNAL_NUMBERS[signal])
        }
        asked = true
        log.info('stopping', { signal })
        resolve()
      })
    }
  })
}

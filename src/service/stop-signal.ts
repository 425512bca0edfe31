/** The signals that ask a process to stop. */
import type { Log } from '../base/log.ts'

/**
 * The numbers of signals. The exit code after a second signal is 128 plus its number, as a shell reports it
 * for a process that the signal has killed.
 */
const SIGNAL_NUMBERS = { SIGTERM: 15, SIGINT: 2, SIGBREAK: 21, SIGHUP: 1 } as const
type StopSignal = keyof typeof SIGNAL_NUMBERS
/**
 * Windows has no SIGTERM. A terminal there sends Ctrl+C (SIGINT), Ctrl+Break (SIGBREAK), or SIGHUP when its
 * window closes; service managers such as WinSW and NSSM send Ctrl+C.
 */
const STOP_SIGNALS: readonly StopSignal[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGTERM', 'SIGINT']

/** Resolves at the first signal. A second signal ends the process at once, after calling `onSecondSignal`. */
export function onStopSignal(log: Log, onSecondSignal: () => void = () => {}): Promise<void> {
  return new Promise(resolve => {
    let isStopping = false
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        if (isStopping) {
          log.warn('stopped at once', { signal })
          onSecondSignal()
          process.exit(128 + SIGNAL_NUMBERS[signal])
        }
        isStopping = true
        log.info('stopping', { signal })
        resolve()
      })
    }
  })
}

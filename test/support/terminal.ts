/** Runs a program in a pseudo terminal, as a person starts it and reads its output. */
import { eventually } from './wait.ts'

const LAST_WORDS_MS = 2000

export interface AtTerminal extends AsyncDisposable {
  /** Waits until the terminal shows this; returns everything shown so far. */
  seen(part: string | RegExp, deadlineMs?: number): Promise<string>
  /** Waits for the end, and for the last output. */
  ended(): Promise<{ code: number; shown: string; processorSeconds: number }>
  /** Presses Ctrl+C first. */
  end(): Promise<{ code: number; shown: string; processorSeconds: number }>
}

export function startAtTerminal(
  command: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): AtTerminal {
  let shown = ''
  const closed = Promise.withResolvers<void>()
  const decoder = new TextDecoder()
  const child = Bun.spawn(command, {
    cwd,
    env,
    terminal: {
      cols: 250,
      data(_, part) {
        shown += decoder.decode(part, { stream: true })
      },
      exit: () => closed.resolve(),
    },
  })
  const text = () => shown.replaceAll('\r', '')
  const shows = (part: string | RegExp) =>
    typeof part === 'string' ? text().includes(part) : part.test(text())
  async function ended() {
    const code = await child.exited
    // The program's last output may still be on its way.
    await Promise.race([closed.promise, Bun.sleep(LAST_WORDS_MS)])
    const { cpuTime } = child.resourceUsage()!
    return { code, shown: text(), processorSeconds: Number(cpuTime.total) / 1e6 }
  }
  return {
    seen: (part, deadlineMs) =>
      eventually(
        `${part} at the terminal`,
        () => {
          if (shows(part)) return text()
          if (child.exitCode !== null)
            throw new Error(`It ended, ${child.exitCode}, without ${part}:\n${text()}`)
          return undefined
        },
        deadlineMs,
      ),
    ended,
    end() {
      child.terminal!.write('\x03')
      return ended()
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

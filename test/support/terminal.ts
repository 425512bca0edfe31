/** A program at a pseudo terminal, as a person starts it and reads what it shows. */
import { eventually } from './wait.ts'

export interface AtTerminal extends AsyncDisposable {
  /** Waits until the terminal shows this; answers everything it has shown. */
  seen(part: string | RegExp, deadlineMs?: number): Promise<string>
  /** Presses Ctrl+C and waits for the end. */
  end(): Promise<{ code: number; shown: string; processorSeconds: number }>
}

export function startAtTerminal(
  command: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): AtTerminal {
  let shown = ''
  const decoder = new TextDecoder()
  const child = Bun.spawn(command, {
    cwd,
    env,
    terminal: {
      cols: 250,
      data(_, part) {
        shown += decoder.decode(part, { stream: true })
      },
    },
  })
  const text = () => shown.replaceAll('\r', '')
  const shows = (part: string | RegExp) =>
    typeof part === 'string' ? text().includes(part) : part.test(text())
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
    async end() {
      if (child.exitCode === null) child.terminal!.write('\x03')
      const code = await child.exited
      const { cpuTime } = child.resourceUsage()!
      return { code, shown: text(), processorSeconds: Number(cpuTime.total) / 1e6 }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/**
 * Reads the name and the password of a `user` command, and other secrets. A password is typed without echo or
 * read from standard input. It is never an argument, which the process list and the shell history would show.
 */

import type { Say, TextPair } from '../../base/language.ts'
import { newPassword, userName } from '../../contract/accounts/session.ts'
import { PASSWORD_MIN } from '../../contract/values/limits.ts'
import { UsageError } from './command.ts'

export const PASSWORD_HELP: TextPair = [
  `  --password-stdin    das Passwort aus der Standardeingabe lesen (erste Zeile)

  Ohne --password-stdin wird das Passwort am Terminal verdeckt abgefragt.`,
  `  --password-stdin    read the password from standard input (first line)

  Without --password-stdin the password is asked for at the terminal, hidden.`,
]

export function checkedName(name: string | undefined): string {
  const result = userName.safeParse(name ?? '')
  if (!result.success)
    throw new UsageError(
      `--name ${result.error.issues[0]?.message}.`,
      '--name must be a name of visible characters and single blanks, not empty and not too long.',
    )
  return result.data
}

export async function readNewPassword(
  readInput: () => Promise<string>,
  { fromStdin, say }: { fromStdin: boolean; say: Say },
): Promise<string> {
  const typedPassword = process.stdin.isTTY && !fromStdin ? await askTwice(say) : firstLine(await readInput())
  const result = newPassword.safeParse(typedPassword)
  if (!result.success)
    throw new UsageError(
      `Das Passwort ${result.error.issues[0]?.message}.`,
      `The password must have at least ${PASSWORD_MIN} characters, and not too many.`,
    )
  return result.data
}

const firstLine = (text: string) => text.split(/\r?\n/, 1)[0] ?? ''

const askTwice = (say: Say) =>
  withoutEcho(async keys => {
    const password = await askLine(say('Passwort: ', 'Password: '), keys)
    if ((await askLine(say('Noch einmal: ', 'Once more: '), keys)) === password) return password
    throw new UsageError('Die beiden Eingaben sind verschieden.', 'The two passwords differ.')
  })

/** Asks once for a secret that the user knows already, such as a token or a password of another service. */
export const askHidden = (question: string) => withoutEcho(keys => askLine(question, keys))

type KeyStream = AsyncGenerator<string, never>

async function withoutEcho(askQuestions: (keys: KeyStream) => Promise<string>): Promise<string> {
  // Echo is off from before the first question until after the last answer, because people may type before
  // the question appears.
  process.stdin.setRawMode(true)
  try {
    return await askQuestions(pressedKeys())
  } finally {
    process.stdin.setRawMode(false)
    process.stdin.pause()
  }
}

async function* pressedKeys(): KeyStream {
  process.stdin.setEncoding('utf8')
  for await (const keys of process.stdin) yield* String(keys)
  throw cancelledError()
}

const cancelledError = () => new UsageError('Abgebrochen.', 'Cancelled.')

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const CTRL_U = '\u0015'
const BACKSPACES = ['\u0008', '\u007f']

/** Asks for one line. The question is written to standard error, so that it is not part of the output. */
async function askLine(question: string, keys: KeyStream): Promise<string> {
  process.stderr.write(question)
  let line: string[] = []
  try {
    // `for await` is not used, because leaving such a loop ends the generator.
    for (;;) {
      const key = (await keys.next()).value
      if (key === '\r' || key === '\n') return line.join('')
      if (key === CTRL_C || key === CTRL_D) throw cancelledError()
      if (key === CTRL_U) line = []
      else if (BACKSPACES.includes(key)) line.pop()
      else if (key >= ' ') line.push(key)
    }
  } finally {
    process.stderr.write('\n')
  }
}

/**
 * Reads the name and the password of a `user` command, and other secrets. A password is typed without echo or
 * read from standard input. It is never an argument, which the process list and the shell history would show.
 */

import type { PickText, TextPair } from '../../../base/language.ts'
import { newPassword, userName } from '../../../contract/accounts/session.ts'
import { PASSWORD_MIN_LENGTH } from '../../../contract/values/input-limits.ts'
import { UsageError } from '../command.ts'

export const PASSWORD_HELP: TextPair = [
  `  --password-stdin    das Passwort aus der Standardeingabe lesen (erste Zeile)

  Ohne --password-stdin wird das Passwort am Terminal verdeckt abgefragt.`,
  `  --password-stdin    read the password from standard input (first line)

  Without --password-stdin the password is asked for at the terminal, hidden.`,
]

export function readUserName(name: string | undefined): string {
  const parsedName = userName.safeParse(name ?? '')
  if (!parsedName.success)
    throw new UsageError(
      `--name ${parsedName.error.issues[0]?.message}.`,
      '--name must be a name of visible characters and single blanks, not empty and not too long.',
    )
  return parsedName.data
}

export async function readNewPassword(
  readInput: () => Promise<string>,
  { fromStdin, localize }: { fromStdin: boolean; localize: PickText },
): Promise<string> {
  const typedPassword =
    process.stdin.isTTY && !fromStdin ? await askPasswordTwice(localize) : firstLineOf(await readInput())
  const parsedPassword = newPassword.safeParse(typedPassword)
  if (!parsedPassword.success)
    throw new UsageError(
      `Das Passwort ${parsedPassword.error.issues[0]?.message}.`,
      `The password must have at least ${PASSWORD_MIN_LENGTH} characters, and not too many.`,
    )
  return parsedPassword.data
}

const firstLineOf = (text: string) => text.split(/\r?\n/, 1)[0] ?? ''

const askPasswordTwice = (localize: PickText) =>
  withoutEcho(async keys => {
    const password = await askLine(localize('Passwort: ', 'Password: '), keys)
    if ((await askLine(localize('Noch einmal: ', 'Once more: '), keys)) === password) return password
    throw new UsageError('Die beiden Eingaben sind verschieden.', 'The two passwords differ.')
  })

/** Asks once for a secret that the user knows already, such as a token or a password of another service. */
export const askSecret = (question: string) => withoutEcho(keys => askLine(question, keys))

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
  let typedKeys: string[] = []
  try {
    // `for await` is not used, because leaving such a loop ends the generator, which the next question needs.
    for (;;) {
      const key = (await keys.next()).value
      if (key === '\r' || key === '\n') return typedKeys.join('')
      if (key === CTRL_C || key === CTRL_D) throw cancelledError()
      if (key === CTRL_U) typedKeys = []
      else if (BACKSPACES.includes(key)) typedKeys.pop()
      else if (key >= ' ') typedKeys.push(key)
    }
  } finally {
    process.stderr.write('\n')
  }
}

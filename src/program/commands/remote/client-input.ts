/**
 * Shared by `push` and `import`: options, the target, the token, the connection to the service, and reports
 * of files that are not sent.
 */

import type { TextPair } from '../../../base/language.ts'
import type { Environment } from '../../../config/config.ts'
import { ClientTrouble } from '../../../errors/client.ts'
import { openAlterationLog } from '../../client/alterations.ts'
import { createDelivery, type DeliverParts } from '../../client/deliver.ts'
import type { UploadPlan } from '../../client/plan.ts'
import { RETRY_POLICY } from '../../client/retries.ts'
import { createServiceClient } from '../../client/service.ts'
import { parseTarget, type Target } from '../../client/target.ts'
import type { Formatter } from '../../formatter.ts'
import { CommandFailure, UsageError } from '../command.ts'
import { askSecret } from '../user/user-input.ts'

export const CLIENT_OPTIONS = {
  token: { type: 'string' },
  parallel: { type: 'string', default: '4' },
  'clean-names': { type: 'boolean', default: false },
  'skip-invalid': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  output: { type: 'string', default: 'text' },
} as const

export const CLIENT_HELP: TextPair = [
  `  --token <Token>     besser über die Umgebungsvariable FUNDUS_TOKEN; ohne beide wird am Terminal verdeckt gefragt
  --parallel <Zahl>   so viele Dateien zugleich (4)
  --clean-names       Namen, die keine Pfade sein dürfen, passend machen („Über uns.png“ → „ueber-uns.png“)
  --skip-invalid      solche Namen und leere Dateien auslassen
  --dry-run           nur sagen, was geschähe`,
  `  --token <token>     better in the environment variable FUNDUS_TOKEN; without both it is asked for at the terminal, hidden
  --parallel <number> so many files at the same time (4)
  --clean-names       make names fit that cannot be paths (“My picture.png” → “my-picture.png”)
  --skip-invalid      leave out such names and empty files
  --dry-run           only say what would be done`,
]

const MAX_CONCURRENCY = 64

export function readTarget(text: string | undefined, name: string): Target {
  if (text === undefined)
    throw new UsageError(
      `Es fehlt das Ziel, etwa https://media.example.org/bilder; mehr sagt „fundus help ${name}“.`,
      `The target is missing, such as https://media.example.org/pictures; “fundus help ${name}” says more.`,
    )
  const target = parseTarget(text)
  if (!('problem' in target)) return target
  const [german, english] = target.problem
  throw new UsageError(
    `Das Ziel „${text}“ ist keins: ${german}.`,
    `“${text}” cannot be the target: ${english}.`,
  )
}

export async function readToken(
  typedToken: string | undefined,
  { FUNDUS_TOKEN }: Environment,
): Promise<string> {
  const token = (typedToken ?? FUNDUS_TOKEN ?? '').trim()
  if (token !== '') return token
  if (!process.stdin.isTTY)
    throw new UsageError(
      'Es fehlt das Token: bitte FUNDUS_TOKEN setzen oder --token angeben.',
      'The token is missing: please set FUNDUS_TOKEN or give --token.',
    )
  return (await askSecret('Token: ')).trim()
}

export function readNumber(option: string, text: string, { max }: { max: number }): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= max) return value
  throw new UsageError(
    `--${option} muss eine Zahl über 0 und bis ${max} sein.`,
    `--${option} must be a number above 0 and up to ${max}.`,
  )
}

export const readConcurrency = (text: string) =>
  Math.ceil(readNumber('parallel', text, { max: MAX_CONCURRENCY }))

export function readChoice<Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find(candidate => candidate === text)
  if (choice === undefined)
    throw new UsageError(
      `--${option} kennt nur ${choices.join(', ')}.`,
      `--${option} knows only ${choices.join(', ')}.`,
    )
  return choice
}

export interface UnfitReportOptions {
  skipInvalid: boolean
  cleanNames: boolean
  formatter: Formatter
  printToStderr(text: string): void
}

/**
 * Must be called before any file is sent. If there are files that cannot be sent, prints them when
 * `skipInvalid` is true (`--skip-invalid`), otherwise throws an error that lists them and ends the command.
 */
export function reportUnfitFiles(
  { unfitFiles }: UploadPlan<unknown>,
  { skipInvalid, cleanNames, formatter, printToStderr }: UnfitReportOptions,
): void {
  if (unfitFiles.length === 0) return
  const { localize, listLines } = formatter
  const names = {
    count: unfitFiles.length,
    names: unfitFiles.map(({ source, reason }) => `${source}: ${localize(...reason)}`),
  }
  const title = localize('Diese Namen können keine Pfade sein', 'These names cannot be paths')
  const report = listLines(title, names).slice(1).join('\n')
  if (skipInvalid) {
    printToStderr(`${report}\n  ${localize('Sie werden ausgelassen.', 'They are left out.')}\n`)
    return
  }
  const [german, english] = cleanNames ? SKIP_HINT : CLEAN_HINT
  throw new UsageError(
    `Nichts wurde gesendet.\n${report}\n  ${german}.`,
    `Nothing was sent.\n${report}\n  ${english}.`,
  )
}

const SKIP_HINT: TextPair = ['--skip-invalid lässt sie aus', '--skip-invalid leaves them out']
const CLEAN_HINT: TextPair = [
  '--clean-names macht Namen passend, --skip-invalid lässt sie aus',
  '--clean-names makes names fit, --skip-invalid leaves them out',
]

/** Reports the files that were not processed because the command ended early. */
export function reportUnprocessedFiles(
  names: readonly string[],
  {
    formatter: { localize, listLines },
    printToStderr,
  }: Pick<UnfitReportOptions, 'formatter' | 'printToStderr'>,
): void {
  const lines = listLines(localize('Noch nicht dort', 'Not there yet'), {
    count: names.length,
    names: [...names],
  })
  if (names.length > 0) printToStderr(`${lines.slice(1).join('\n')}\n`)
}

export interface ConnectOptions extends Pick<DeliverParts, 'overwrite' | 'dryRun' | 'onBytes'> {
  token: string
  environment: Environment
}

export async function connectToService(
  { origin }: Target,
  { token, environment, ...options }: ConnectOptions,
) {
  const service = createServiceClient({ origin, token, now: Date.now })
  const alterations = await openAlterationLog(origin, environment)
  return { service, deliver: createDelivery({ service, alterations, retryPolicy: RETRY_POLICY, ...options }) }
}

/** Runs `action` and turns a `ClientTrouble` into a command error with the same sentence. */
export const withCommandErrors = <T>(action: () => Promise<T>): Promise<T> =>
  action().catch(error => {
    throw error instanceof ClientTrouble ? new CommandFailure(error.sentence, error.english) : error
  })

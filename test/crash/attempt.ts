/** One operation under a fault: the answer, the state afterwards, and whether the service continues. */
import { failure } from '../../src/errors/errors.ts'
import { eventually } from '../support/wait.ts'
import { type Operation, type Round, type State, servedHash, stateOf, usedBy } from './operations.ts'

export interface Fault {
  /** From now on something fails. */
  begin(): Promise<void> | void
  /** Everything works again. Returns what failed. */
  end(): Promise<string[]> | string[]
}

/** The state before the operation, and after it. */
export interface Expected {
  before: State
  after: State
}

interface Answer {
  /** 0: the connection broke. */
  status: number
  code: string
  text: string
}

interface BatchAnswer {
  gespeichert: unknown[]
  abgelehnt?: { grund: string }[]
}

/** The client is told that the file may have been stored. */
const UNCERTAIN = failure.databaseUncertain(null).message

async function answerOf(asked: Promise<Response>): Promise<Answer> {
  try {
    const response = await asked
    return {
      status: response.status,
      code: response.headers.get('x-fehler-code') ?? '',
      text: await response.text(),
    }
  } catch (error) {
    return { status: 0, code: '', text: String(error) }
  }
}

async function begin(operation: Operation, round: Round) {
  const prepared = await operation.prepare?.(round)
  const used = await usedBy(round)
  return {
    run: () => answerOf(operation.run(round, prepared as never)),
    state: () => stateOf(round, used),
  }
}

export async function expectedOf(operation: Operation, round: Round): Promise<Expected> {
  const { run, state } = await begin(operation, round)
  const before = await state()
  const { status, text } = await run()
  if (status !== 200) throw new Error(`${operation.name} without a fault: ${status} ${text}`)
  const after = await state()
  if (isEqual(before, after)) throw new Error(`${operation.name} changes nothing`)
  return { before, after }
}

export async function attempt(
  operation: Operation,
  round: Round,
  expected: Expected,
  fault: Fault,
): Promise<{ failed: string[]; violations: string[] }> {
  const { run, state } = await begin(operation, round)
  await fault.begin()
  const answer = await run()
  const failed = await fault.end()
  const violations = [...judgeAnswer(answer, failed.length > 0)]
  const found = await state()
  violations.push(...judgeState(operation, expected, found, answer))
  for (const key of new Set([...expected.before.keys(), ...expected.after.keys()])) {
    if (!key.startsWith('file ') || found.has(key)) continue
    const what = await servedHash(round, `${round.folder}/${key.slice('file '.length)}`)
    if (what !== '404') violations.push(`${key} is served (${what}) and not listed`)
  }
  const isOld = isEqual(found, expected.before)
  // A service whose disk has failed may refuse for a moment, until everything is safe elsewhere.
  const again = await eventually('the fault is over', async () => {
    const given = await run()
    return given.status < 500 && given.status > 0 && given
  })
  if (isOld && again.status !== 200) violations.push(`the same again: ${again.status} ${again.text}`)
  const last = await state()
  if (!isEqual(last, expected.after)) violations.push(`the same again leaves ${shown(last)}`)
  return { failed, violations: violations.map(each => `${each} [${answer.status} ${answer.code}]`) }
}

/** A refusal must be a sentence with a code, and not the one for unexpected errors. */
export function judgeAnswer({ status, code, text }: Answer, hasFailed: boolean): string[] {
  if (status === 200) return []
  if (!hasFailed) return [`refused without a fault: ${text}`]
  if (!/^[a-z0-9-]+$/.test(code)) return [`no code: ${text}`]
  if (code === 'unexpected') return [`an error that nobody expected: ${text}`]
  return /^\{"error":"[^"\n]+\."/.test(text) ? [] : [`no sentence: ${text}`]
}

/** The state is the old or the new one (each file by itself); what was answered as done is there. */
export function judgeState(
  { isSeparate }: Pick<Operation, 'isSeparate'>,
  { before, after }: Expected,
  found: State,
  { status, text }: Pick<Answer, 'status' | 'text'>,
): string[] {
  if (!isSeparate) {
    if (!isEqual(found, after) && !isEqual(found, before)) return [`neither old nor new: ${shown(found)}`]
    return status === 200 && !isEqual(found, after) ? [`answered as done: ${shown(found)}`] : []
  }
  const violations: string[] = []
  const keys = new Set([...before.keys(), ...after.keys(), ...found.keys()])
  keys.delete('used')
  for (const key of keys)
    if (found.get(key) !== before.get(key) && found.get(key) !== after.get(key))
      violations.push(`neither old nor new: ${key} ${found.get(key)}`)
  if (status === 200) {
    const { gespeichert, abgelehnt = [] } = JSON.parse(text) as BatchAnswer
    const there = [...found.keys()].filter(key => key.startsWith('file ')).length
    const unknown = abgelehnt.filter(({ grund }) => grund === UNCERTAIN).length
    if (there < gespeichert.length || there > gespeichert.length + unknown)
      violations.push(`${gespeichert.length} answered, ${there} there`)
  }
  return violations
}

const isEqual = (one: State, other: State) => shown(one) === shown(other)
const shown = (state: State) =>
  JSON.stringify([...state].toSorted(([one], [other]) => (one < other ? -1 : 1)))

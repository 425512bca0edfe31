/**
 * The answer to a long operation that runs in steps. A client that accepts NDJSON gets one line per step. If
 * it disconnects, the operation stops after the current step, unless it runs in `reportedSteps`. Any other
 * client gets a single JSON object in which the lists of all steps are joined.
 */
import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'
import { textStream } from '../bodies/streams.ts'
import { StreamAnswer } from '../server/answers.ts'
import type { IncomingRequest } from '../server/http-server.ts'
import type { RenderError } from './render-error.ts'

/** The media type of JSON with one value per line. */
export const NDJSON = 'application/x-ndjson'

export const acceptsNdjson = (request: IncomingRequest) =>
  request.headers.get('accept')?.includes(NDJSON) ?? false

type StepLists = Record<string, unknown[]>

interface AnswerParts {
  renderError: RenderError
  answerHeaders: Headers
}

export async function steppedAnswer<Step extends StepLists>(
  request: IncomingRequest,
  steps: AsyncIterable<Step>,
  emptyStep: Step,
  parts: AnswerParts,
): Promise<Step | Response> {
  if (acceptsNdjson(request)) return ndjsonAnswer(steps, parts)
  const joinedLists: StepLists = emptyStep
  for await (const step of steps)
    for (const [name, list] of Object.entries(step)) joinedLists[name]!.push(...list)
  return joinedLists as Step
}

export function ndjsonAnswer(
  steps: AsyncIterable<object>,
  { renderError, answerHeaders }: AnswerParts,
): Response {
  answerHeaders.set('Content-Type', NDJSON)
  return new StreamAnswer(textStream(ndjsonLines(steps, renderError), 1), { headers: answerHeaders })
}

/** An error is sent as the last line, because status and headers have been sent by then. */
async function* ndjsonLines(steps: AsyncIterable<object>, renderError: RenderError): AsyncGenerator<string> {
  try {
    for await (const step of steps) yield `${JSON.stringify(step)}\n`
  } catch (error) {
    const response = renderError(error)
    const body = (await response.json()) as object
    yield `${JSON.stringify({ ...body, code: response.headers.get(ERROR_CODE_HEADER) })}\n`
  }
}

/**
 * Turns work that reports its steps by callback into a generator. The last value that the generator yields is
 * the result of the work.
 */
export async function* reportedSteps<Step>(
  work: (report: (step: Step) => void) => Promise<Step>,
): AsyncGenerator<Step> {
  const waitingSteps: Step[] = []
  let wake = () => {}
  let isOver = false
  const lastStep = work(step => {
    waitingSteps.push(step)
    wake()
  }).finally(() => {
    isOver = true
    wake()
  })
  // If the client disconnects, the work still runs to its end, but nobody would handle its failure.
  lastStep.catch(() => {})
  while (!isOver || waitingSteps.length > 0) {
    const step = waitingSteps.shift()
    if (step !== undefined) yield step
    else await new Promise<void>(resolve => (wake = resolve))
  }
  yield await lastStep
}

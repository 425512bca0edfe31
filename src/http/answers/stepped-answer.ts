/**
 * The answer to long work that is done in steps. A client that accepts lines gets one line per step, and ends
 * the work by disconnecting; any other client gets a single answer in which the lists of all steps are
 * joined.
 */
import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'
import { textStream } from '../bodies/streams.ts'
import type { IncomingRequest } from '../server/http-server.ts'
import { StreamAnswer } from '../server/sending/answers.ts'
import type { RenderError } from './render.ts'

/** The media type of JSON with one value per line. */
export const LINES = 'application/x-ndjson'

export const asksForLines = (request: IncomingRequest) =>
  request.headers.get('accept')?.includes(LINES) ?? false

type Lists = Record<string, unknown[]>

interface AnswerParts {
  renderError: RenderError
  answerHeaders: Headers
}

export async function steppedAnswer<Step extends Lists>(
  request: IncomingRequest,
  steps: AsyncIterable<Step>,
  nothing: Step,
  answering: AnswerParts,
): Promise<Step | Response> {
  if (asksForLines(request)) return linesAnswer(steps, answering)
  const joined: Lists = nothing
  for await (const step of steps) for (const [name, list] of Object.entries(step)) joined[name]!.push(...list)
  return joined as Step
}

export function linesAnswer(
  steps: AsyncIterable<object>,
  { renderError, answerHeaders }: AnswerParts,
): Response {
  answerHeaders.set('Content-Type', LINES)
  return new StreamAnswer(textStream(lines(steps, renderError), 1), { headers: answerHeaders })
}

/** An error is sent as the last line, because status and headers have been sent by then. */
async function* lines(steps: AsyncIterable<object>, renderError: RenderError): AsyncGenerator<string> {
  try {
    for await (const step of steps) yield `${JSON.stringify(step)}\n`
  } catch (error) {
    const response = renderError(error)
    const body = (await response.json()) as object
    yield `${JSON.stringify({ ...body, code: response.headers.get(ERROR_CODE_HEADER) })}\n`
  }
}

/** Turns work that reports its steps by callback into a generator; the last step is its result. */
export async function* reportedSteps<Step>(
  work: (tell: (step: Step) => void) => Promise<Step>,
): AsyncGenerator<Step> {
  const waiting: Step[] = []
  let wake = () => {}
  let isOver = false
  const last = work(step => {
    waiting.push(step)
    wake()
  }).finally(() => {
    isOver = true
    wake()
  })
  // If the client stops listening, the work still runs to its end.
  last.catch(() => {})
  while (!isOver || waiting.length > 0) {
    const step = waiting.shift()
    if (step !== undefined) yield step
    else await new Promise<void>(resolve => (wake = resolve))
  }
  yield await last
}

/**
 * The answer of long work in steps. Every step is an answer of its own, with lists of what it did: a client that asks
 * for lines gets them one by one, and one that goes away ends the work after the present step; any other client gets
 * one answer, in which the lists are joined.
 */
import { ERROR_CODE } from '../contract/api-document.ts'
import type { RenderError } from './render.ts'
import { textStream } from './text-stream.ts'

/** JSON, one value per line. */
export const LINES = 'application/x-ndjson'

type Lists = Record<string, unknown[]>

export async function steppedAnswer<Step extends Lists>(
  request: Request,
  steps: AsyncIterable<Step>,
  nothing: Step,
  { renderError, answerHeaders }: { renderError: RenderError; answerHeaders: Headers },
): Promise<Step | Response> {
  if (request.headers.get('accept')?.includes(LINES)) {
    answerHeaders.set('Content-Type', LINES)
    return new Response(textStream(lines(steps, renderError), 1), { headers: answerHeaders })
  }
  const joined: Lists = nothing
  for await (const step of steps) for (const [name, list] of Object.entries(step)) joined[name]!.push(...list)
  return joined as Step
}

/** An error in mid-work is the last line: status and headers are sent by then. */
async function* lines(steps: AsyncIterable<Lists>, renderError: RenderError): AsyncGenerator<string> {
  try {
    for await (const step of steps) yield `${JSON.stringify(step)}\n`
  } catch (error) {
    const response = renderError(error)
    const told = (await response.json()) as object
    yield `${JSON.stringify({ ...told, code: response.headers.get(ERROR_CODE) })}\n`
  }
}

/**
 * The errors that pages show: error answers to requests, lost connections, and errors with their own
 * sentence.
 */
import { ERROR_CODE_HEADER, ERROR_FIELD_HEADER } from '../../../src/contract/service/error-headers.ts'
import { retryAfterOf } from '../../../src/contract/values/retry-after.ts'

export class ApiError extends Error {
  override name = 'ApiError'

  constructor(
    readonly status: number,
    /** The error message in German: that of the service, or a general one if the answer contains none. */
    readonly sentence: string,
    /** Milliseconds to wait before the next attempt (`Retry-After`); null if the answer names no time. */
    readonly retryAfter: number | null,
    /**
     * The parsed body of the answer, since some errors contain more than the message; null if it is not JSON.
     */
    readonly body: unknown,
    /** The error's code, which selects the English message; undefined if the answer names none. */
    readonly code?: string,
    /**
     * The field of the request that the error is about, such as a setting; undefined if the answer names
     * none.
     */
    readonly field?: string,
  ) {
    super(sentence)
  }
}

/** Whether another attempt makes sense: after a missing answer or a server error, but not after a refusal. */
export const isRetryable = (error: Error) => !(error instanceof ApiError) || error.status >= 500

/** The code for an error answer that the service did not write itself, such as the error page of a proxy. */
export const UNEXPECTED_ANSWER_CODE = 'answer-unexpected'

/** An error whose message is a sentence in the language of the page, shown as it is. */
export class SentenceError extends Error {
  override name = 'SentenceError'
}

/**
 * A request got no answer from the service: the service or the network is down, or something else, such as a
 * proxy, has answered.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

/** The error for an answer with an error status, whether the service or a proxy has written it. */
export async function readError(response: Response): Promise<ApiError> {
  return errorOfAnswer(response.status, response.headers, await response.json().catch(() => null))
}

/** The error for an answer whose body has been read already. */
export function errorOfAnswer(status: number, headers: Pick<Headers, 'get'>, body: unknown): ApiError {
  const retryAfter = retryAfterOf(headers.get('Retry-After'), Date.now())
  if (isErrorBody(body)) {
    const [code, field] = [ERROR_CODE_HEADER, ERROR_FIELD_HEADER].map(name => headers.get(name) ?? undefined)
    return new ApiError(status, body.error, retryAfter, body, code, field)
  }
  const sentence = `Der Dienst antwortet gerade nicht wie erwartet (Status ${status}). Bitte erneut versuchen.`
  return new ApiError(status, sentence, retryAfter, body, UNEXPECTED_ANSWER_CODE)
}

export const isErrorBody = (body: unknown): body is { error: string; code?: string } =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'

/** A refused file or field in an otherwise successful answer. `grund` is the reason in German. */
export interface Refusal {
  grund: string
  code: string
}

export const errorOfRefusal = ({ grund, code }: Refusal) => new ApiError(409, grund, null, null, code)

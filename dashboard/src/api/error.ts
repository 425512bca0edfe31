/** Errors of requests: refusals with the service's sentence, and lost connections. */

export class ApiError extends Error {
  override name = 'ApiError'

  constructor(
    readonly status: number,
    /** The service's German sentence. */
    readonly sentence: string,
    /** Seconds until another attempt makes sense; null where the service names none. */
    readonly retryAfter: number | null,
    /** The whole answer: some errors carry more than their sentence. */
    readonly body: unknown,
  ) {
    super(sentence)
  }
}

/** No answer came at all: the service is away, or the network is. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

/** Makes an error of an answer that is no success, also of one that a proxy in between has written. */
export async function errorFrom(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const sentence = isErrorBody(body)
    ? body.error
    : `Der Dienst antwortet gerade nicht wie erwartet (Status ${response.status}). Bitte erneut versuchen.`
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return new ApiError(response.status, sentence, Number.isFinite(seconds) ? seconds : null, body)
}

const isErrorBody = (body: unknown): body is { error: string } =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'

/** Typed requests to the service: `get('media', { query: { ordner: 'items' } })`. */
import { DASHBOARD_ROUTE } from '../../../src/contract/paths/addresses.ts'
import { ACTION_HEADER } from '../../../src/contract/upload/headers.ts'
import { createListeners } from '../state/observable.ts'
import { ensureOwnSession } from '../state/session.ts'
import { markConnected, markDisconnected } from './connection.ts'
import { ApiError, ConnectionError, isErrorBody, readError } from './error.ts'
import type { DeleteRoutes, GetRoutes, PatchRoutes, PostRoutes, PutRoutes, RouteShape } from './routes.ts'

type QueryValue = string | number | boolean | null | undefined
type RequestInput<Shape> = (Shape extends { query: infer Query } ? { query?: Query } : { query?: never }) &
  (Shape extends { body: infer Body } ? { body: Body } : { body?: never }) & { signal?: AbortSignal }
/** The arguments of a request function after the path; they may be omitted only for routes without a body. */
type RouteArguments<Shape> = Shape extends { body: unknown }
  ? [input: RequestInput<Shape>]
  : [input?: RequestInput<Shape>]
type Answer<Shape> = Shape extends { answer: infer A } ? A : never

const createRequestFunction =
  <Routes>(method: string) =>
  <Path extends keyof Routes & string>(path: Path, ...[input]: RouteArguments<Routes[Path]>) =>
    request(method, path, (input ?? {}) as UntypedInput) as Promise<Answer<Routes[Path]>>

export const get = createRequestFunction<GetRoutes>('GET')
export const post = createRequestFunction<PostRoutes>('POST')
export const put = createRequestFunction<PutRoutes>('PUT')
export const patch = createRequestFunction<PatchRoutes>('PATCH')
export const del = createRequestFunction<DeleteRoutes>('DELETE')

/** Like `post`, for changes that can be undone: also returns the id of the action, which undo needs. */
export const postAction = <Path extends keyof PostRoutes & string>(
  path: Path,
  input: RequestInput<PostRoutes[Path]>,
): Promise<ActionAnswer<Answer<PostRoutes[Path]>>> =>
  request('POST', path, input as UntypedInput, async response => ({
    answer: await response.json(),
    action: response.headers.get(ACTION_HEADER),
  })) as Promise<ActionAnswer<Answer<PostRoutes[Path]>>>

interface ActionAnswer<A> {
  answer: A
  /** The id by which the service can undo the change; null if nothing was changed. */
  action: string | null
}

/** The input of any request, without the types of its route. */
interface UntypedInput extends Omit<RouteShape, 'answer' | 'query'> {
  query?: Readonly<Record<string, QueryValue>>
  signal?: AbortSignal
}

/** The address of a route with its query. Parameters that are undefined, null or empty are omitted. */
export function addressOf(path: string, query: UntypedInput['query'] = {}): string {
  const entriesWithValue = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const queryString = new URLSearchParams(
    entriesWithValue.map(([name, value]) => [name, String(value)]),
  ).toString()
  const escapedPath = path.split('/').map(encodeURIComponent).join('/')
  return `${DASHBOARD_ROUTE}/${escapedPath}${queryString === '' ? '' : `?${queryString}`}`
}

let pendingChangeCount = 0

/**
 * Whether a request that was sent by this module and changes data (any method but GET) is waiting for its
 * answer. The service may already have made the change.
 */
export const hasPendingChanges = () => pendingChangeCount > 0

type ReadAnswer = (response: Response) => Promise<unknown>
const readJson: ReadAnswer = response => response.json()

async function request(method: string, path: string, input: UntypedInput, read = readJson): Promise<unknown> {
  if (method === 'GET') return fetchAnswer(method, path, input, read)
  pendingChangeCount++
  try {
    return await fetchAnswer(method, path, input, read)
  } finally {
    pendingChangeCount--
  }
}

async function fetchAnswer(
  method: string,
  path: string,
  input: UntypedInput,
  read: ReadAnswer,
): Promise<unknown> {
  return read(await fetchResponse(method, path, input))
}

async function fetchResponse(
  method: string,
  path: string,
  input: UntypedInput,
  accept?: string,
): Promise<Response> {
  const { query, body, signal } = input
  const response = await sendRequest(addressOf(path, query), {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(accept !== undefined && { Accept: accept }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  if (!response.ok) throw reportRefusal(await readError(response))
  return response
}

const refusalListeners = createListeners<[ApiError]>()
/**
 * Calls the listener with each error answer to a request that was sent by this module, including an error in
 * the middle of a streamed answer. Uploads are sent by other modules (`uploads/queue`) and are not included.
 */
export const onRequestRefused = refusalListeners.subscribe

function reportRefusal(error: ApiError): ApiError {
  refusalListeners.emit(error)
  return error
}

/**
 * Routes that can stream their answer while they work. Each part of the answer reports the files that were
 * changed or refused since the previous part.
 */
export type PartwiseRoutes = Pick<
  PostRoutes,
  'media/loeschen' | 'media/verschieben' | 'verlauf/zuruecknehmen'
>

interface PartsInput<Shape extends { body: unknown; answer: unknown }> {
  body: Shape['body']
  signal?: AbortSignal
  onPart(part: Shape['answer']): void
}

/**
 * Sends a request whose answer is streamed, and calls `onPart` for each part. Aborting the request is not an
 * error; the service then stops moving or deleting files after the current part. Rejects if the service
 * cannot be reached, refuses the request or fails midway. Returns the id of the action, which undo needs;
 * null if the answer names none, or if the request was aborted before the answer arrived.
 */
export async function postForParts<Path extends keyof PartwiseRoutes>(
  path: Path,
  input: PartsInput<PartwiseRoutes[Path]>,
): Promise<string | null> {
  pendingChangeCount++
  let action: string | null = null
  try {
    const response = await fetchResponse('POST', path, input as UntypedInput, 'application/x-ndjson')
    action = response.headers.get(ACTION_HEADER)
    for await (const part of parseLines(response)) {
      if (isErrorBody(part)) throw reportRefusal(new ApiError(500, part.error, null, part, part.code))
      input.onPart(part as PartwiseRoutes[Path]['answer'])
    }
  } catch (error) {
    if (!input.signal?.aborted) throw error
  } finally {
    pendingChangeCount--
  }
  return action
}

/** Parses a body with one JSON value per line (NDJSON), and yields each value as its line arrives. */
async function* parseLines(response: Response): AsyncGenerator<unknown> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let incompleteLine = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (incompleteLine + next.value).split('\n')
    incompleteLine = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
  // An answer that is not split into parts has no line break.
  if (incompleteLine !== '') yield JSON.parse(incompleteLine)
}

/**
 * A promise that never settles. Functions that send requests return it, and send nothing, while the document
 * is being replaced.
 */
export const NEVER_SETTLING_PROMISE = new Promise<never>(() => {})

async function sendRequest(address: string, init: RequestInit): Promise<Response> {
  if (!ensureOwnSession()) return NEVER_SETTLING_PROMISE
  try {
    const response = await fetch(address, init)
    markConnected()
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    markDisconnected()
    throw new ConnectionError('The service could not be reached.', { cause: error })
  }
}

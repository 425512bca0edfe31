/** Requests to the service, typed by the contract: `get('media', { query: { ordner: 'items' } })`. */
import { ACTION_HEADER } from '../../../src/contract/upload/action-header.ts'
import { createListeners } from '../state/observable.ts'
import { isOwnSession } from '../state/session.ts'
import { markLost, markOnline } from './connection.ts'
import { ApiError, ConnectionError, errorFrom, isErrorBody } from './error.ts'
import type { DeleteRoutes, GetRoutes, PatchRoutes, PostRoutes, PutRoutes, RouteShape } from './routes.ts'

const BASE = '/api/dash'

type QueryValue = string | number | boolean | null | undefined
type RequestInput<Shape> = (Shape extends { query: infer Query } ? { query?: Query } : { query?: never }) &
  (Shape extends { body: infer Body } ? { body: Body } : { body?: never }) & { signal?: AbortSignal }
/** The arguments may be omitted only for routes without a body. */
type Rest<Shape> = Shape extends { body: unknown }
  ? [given: RequestInput<Shape>]
  : [given?: RequestInput<Shape>]
type Answer<Shape> = Shape extends { answer: infer Kind } ? Kind : never

const caller =
  <Routes>(method: string) =>
  <Path extends keyof Routes & string>(path: Path, ...[given]: Rest<Routes[Path]>) =>
    request(method, path, (given ?? {}) as Loose) as Promise<Answer<Routes[Path]>>

export const get = caller<GetRoutes>('GET')
export const post = caller<PostRoutes>('POST')
export const put = caller<PutRoutes>('PUT')
export const patch = caller<PatchRoutes>('PATCH')
export const del = caller<DeleteRoutes>('DELETE')

/** Like `post`, for changes that can be undone: also returns the id of the action, which undo needs. */
export const act = <Path extends keyof PostRoutes & string>(
  path: Path,
  given: RequestInput<PostRoutes[Path]>,
): Promise<ActionAnswer<Answer<PostRoutes[Path]>>> =>
  request('POST', path, given as Loose, async response => ({
    answer: await response.json(),
    action: response.headers.get(ACTION_HEADER),
  })) as Promise<ActionAnswer<Answer<PostRoutes[Path]>>>

interface ActionAnswer<Kind> {
  answer: Kind
  /** The id of the action; null: nothing was changed. */
  action: string | null
}

interface Loose extends Omit<RouteShape, 'answer' | 'query'> {
  query?: Readonly<Record<string, QueryValue>>
  signal?: AbortSignal
}

/** The address of a route, for links and downloads. Parameters without a value are omitted. */
export function addressOf(path: string, query: Loose['query'] = {}): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  return `${BASE}/${escaped}${text === '' ? '' : `?${text}`}`
}

let changes = 0

/**
 * Whether a changing request of this page is in progress: the service may have made the change before the
 * answer has arrived.
 */
export const isChanging = () => changes > 0

type Read = (response: Response) => Promise<unknown>
const readJson: Read = response => response.json()

async function request(method: string, path: string, loose: Loose, read = readJson): Promise<unknown> {
  if (method === 'GET') return answerOf(method, path, loose, read)
  changes++
  try {
    return await answerOf(method, path, loose, read)
  } finally {
    changes--
  }
}

async function answerOf(method: string, path: string, loose: Loose, read: Read): Promise<unknown> {
  return read(await responseOf(method, path, loose))
}

async function responseOf(method: string, path: string, loose: Loose, accept?: string): Promise<Response> {
  const { query, body, signal } = loose
  const response = await send(addressOf(path, query), {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(accept !== undefined && { Accept: accept }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  if (!response.ok) throw refused(await errorFrom(response))
  return response
}

const refusals = createListeners<[ApiError]>()
/** Called with every refusal of the service, whoever has sent the request. */
export const onRefused = refusals.subscribe

function refused(error: ApiError): ApiError {
  refusals.tell(error)
  return error
}

/** Routes whose answer comes in parts, each with lists of what was done. */
export type PartwiseRoutes = Pick<
  PostRoutes,
  'media/loeschen' | 'media/verschieben' | 'verlauf/zuruecknehmen'
>

interface PartsGiven<Shape extends { body: unknown; answer: unknown }> {
  body: Shape['body']
  signal?: AbortSignal
  onPart(part: Shape['answer']): void
}

/**
 * Sends a request whose answer comes in parts, and calls `onPart` for each part. Aborting ends the work after
 * the current part. Rejects if the service refuses the request or fails midway. Returns the id of the action,
 * as `act` does.
 */
export async function postForParts<Path extends keyof PartwiseRoutes>(
  path: Path,
  given: PartsGiven<PartwiseRoutes[Path]>,
): Promise<string | null> {
  changes++
  let action: string | null = null
  try {
    const response = await responseOf('POST', path, given as Loose, 'application/x-ndjson')
    action = response.headers.get(ACTION_HEADER)
    for await (const part of linesOf(response)) {
      if (isErrorBody(part)) throw refused(new ApiError(500, part.error, null, part, part.code))
      given.onPart(part as PartwiseRoutes[Path]['answer'])
    }
  } catch (error) {
    if (!given.signal?.aborted) throw error
  } finally {
    changes--
  }
  return action
}

/** Parses a body with one JSON value per line, and yields each value as its line arrives. */
async function* linesOf(response: Response): AsyncGenerator<unknown> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + next.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
  // An answer of a single part has no line break.
  if (rest !== '') yield JSON.parse(rest)
}

/**
 * A promise that never settles: the result of requests that are not sent because the document is being
 * replaced.
 */
export const NEVER = new Promise<never>(() => {})

async function send(address: string, init: RequestInit): Promise<Response> {
  if (!isOwnSession()) return NEVER
  try {
    const response = await fetch(address, init)
    markOnline()
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    markLost()
    throw new ConnectionError('The service could not be reached.', { cause: error })
  }
}

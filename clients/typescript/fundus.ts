/**
 * A client for Fundus: uploads, lists, asks for and deletes files with a token, makes tickets and uploads
 * with them. For Node from version 20, Bun, Deno and browsers; needs nothing but this file and, for its
 * types, openapi.ts.
 */
import type {
  DeleteMediaPfadAnswer,
  GetDateienAnswer,
  GetDateienParameters,
  GetExistsAnswer,
  PostTicketsAnswer,
  PostUploadAnswer,
  PostUploadParameters,
} from './openapi.ts'

/** `mime` and `replaced` are missing after an upload in pieces. */
export type StoredFile = Pick<PostUploadAnswer, 'url' | 'path' | 'size' | 'sha256'> &
  Partial<PostUploadAnswer>
export type ExistsAnswer = GetExistsAnswer
export type Ticket = PostTicketsAnswer

/**
 * In Node `await fs.openAsBlob(path)` gives a file without reading it into memory; in a browser a `File` is a
 * `Blob`.
 */
export type Content = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string

export interface UploadOptions {
  /** The target path; without it the service makes one from the content. */
  path?: string
  /** False: a path that is taken is refused with 409 (`path-taken`). */
  overwrite?: boolean
  /** The media type; otherwise the extension of the path decides. */
  mime?: string
  /** Bytes that have gone out so far, of all. Begins anew with each attempt. */
  onProgress?: (sent: number, total: number) => void
  signal?: AbortSignal
}

export interface TicketOptions {
  /** The whole target path. Not together with `folder`. */
  path?: string
  /** A whole folder; without it the prefix of the token. */
  folder?: string
  maxBytes?: number
  kinds?: ('bilder' | 'video' | 'audio' | 'dokumente' | 'sonstige')[]
  /** 600 if omitted. */
  seconds?: number
  /** Number of uploads, 1 if omitted. */
  uses?: number
  /** Whether a taken path is overwritten. */
  overwrite?: boolean
  signal?: AbortSignal
}

export interface ListOptions {
  /** Without it the prefix of the token. */
  folder?: string
  subfolders?: boolean
  search?: string
  sort?: NonNullable<GetDateienParameters['sortierung']>
  descending?: boolean
  /** From 1. */
  page?: number
  /** 1 to 200, 60 if omitted. */
  count?: number
  signal?: AbortSignal
}

export interface Client {
  upload(content: Content, options?: UploadOptions): Promise<StoredFile>
  /** The token needs the right to list files. */
  list(options?: ListOptions): Promise<GetDateienAnswer>
  /** An address with which a program without the token may upload, see `uploadWithTicket`. */
  ticket(options?: TicketOptions): Promise<Ticket>
  exists(path: string, options?: { signal?: AbortSignal }): Promise<ExistsAnswer>
  /** For good, without the trash; the token needs the right to delete. */
  remove(path: string, options?: { signal?: AbortSignal }): Promise<DeleteMediaPfadAnswer>
}

export interface RetryOptions {
  /** How often a call is tried in all, where the trouble may pass. */
  attempts?: number
  /** Milliseconds before the second attempt; they double each time, up to half a minute. */
  firstPause?: number
}

export interface ClientOptions extends RetryOptions {
  /** The address of the service, for example `https://media.example.org`. */
  url: string
  token: string
}

/**
 * The service refused. `code` is a stable English word (`quota-exceeded`, …), `message` its German sentence.
 */
export class FundusError extends Error {
  override readonly name = 'FundusError'
  constructor(
    message: string,
    /** 0: no answer came. */
    readonly status: number,
    readonly code: string | null,
    /** Milliseconds that the service asks to wait. */
    readonly retryAfter?: number,
  ) {
    super(message)
  }
}

interface Order {
  method: string
  url: string
  headers: Record<string, string>
  body?: Blob
  onProgress?: ((sent: number, total: number) => void) | undefined
  signal?: AbortSignal | undefined
}

interface Answer {
  status: number
  text: string
  header(name: string): string | null
}

const LONGEST_PAUSE = 30_000

/** Above this size a file with a path is sent in pieces, and goes on where the line broke. */
const PIECES_FROM = 16 * 1024 * 1024
const PIECE = 8 * 1024 * 1024
const TUS = { 'Tus-Resumable': '1.0.0' }

export function createClient({ url, token, ...retry }: ClientOptions): Client {
  const base = url.replace(/\/+$/, '')
  const call = <T>(route: string, order: Omit<Order, 'url'>) =>
    request<T>(
      { ...order, headers: { ...order.headers, Authorization: `Bearer ${token}` }, url: `${base}${route}` },
      retry,
    )

  const exists: Client['exists'] = (path, { signal } = {}) =>
    call(`/api/exists?pfad=${encodeURIComponent(path)}`, { method: 'GET', headers: {}, signal })

  return {
    exists,
    async upload(content, options = {}) {
      const { path, signal } = options
      const body = blobOf(content)
      if (path === undefined || body.size <= PIECES_FROM)
        return call('/api/upload', uploadOrder(body, options))
      const headers = { Authorization: `Bearer ${token}` }
      const url = await uploadInPieces({ url: `${base}/api/tus`, headers, body, path, options, retry })
      const { size = body.size, sha256 = '' } = await exists(path, signal ? { signal } : {})
      return { url, path, size, sha256 }
    },
    list({ folder, subfolders, search, sort, descending, page, count, signal } = {}) {
      const query = new URLSearchParams({
        ...(folder !== undefined && { ordner: folder }),
        ...(subfolders && { unterordner: '1' }),
        ...(search !== undefined && { suche: search }),
        ...(sort !== undefined && { sortierung: sort }),
        ...(descending && { richtung: 'ab' }),
        ...(page !== undefined && { seite: String(page) }),
        ...(count !== undefined && { anzahl: String(count) }),
      })
      return call(`/api/dateien?${query}`, { method: 'GET', headers: {}, signal })
    },
    ticket({ path, folder, maxBytes, kinds, seconds, uses, overwrite, signal } = {}) {
      const input = {
        ...{ pfad: path, ordner: folder, max_bytes: maxBytes, arten: kinds },
        ...{ gueltig_s: seconds, anzahl: uses, ueberschreiben: overwrite },
      }
      const headers = { 'Content-Type': 'application/json' }
      return call('/api/tickets', {
        method: 'POST',
        headers,
        body: new Blob([JSON.stringify(input)]),
        signal,
      })
    },
    remove: (path, { signal } = {}) =>
      call(`/api/media/${encodeURI(path)}`, { method: 'DELETE', headers: {}, signal }),
  }
}

/** Uploads with the address of a ticket, without a token. `path` is relative to the folder of the ticket. */
export const uploadWithTicket = (
  url: string,
  content: Content,
  options: UploadOptions & RetryOptions = {},
): Promise<StoredFile> => request({ ...uploadOrder(content, options), url }, options)

function uploadOrder(
  content: Content,
  { path, overwrite, mime, onProgress, signal }: UploadOptions,
): Omit<Order, 'url'> {
  const parameters: PostUploadParameters = {
    ...(path !== undefined && { 'X-Path': path }),
    ...(overwrite === false && { 'X-Overwrite': 'false' }),
    ...(mime !== undefined && { 'X-Mime': mime }),
  }
  const headers = { ...parameters, 'Content-Type': 'application/octet-stream' }
  return { method: 'POST', headers, body: blobOf(content), onProgress, signal }
}

const blobOf = (content: Content) => (content instanceof Blob ? content : new Blob([content]))

interface PiecesOrder {
  url: string
  headers: Record<string, string>
  body: Blob
  path: string
  options: UploadOptions
  retry: RetryOptions
}

/**
 * tus 1.0.0: after each failure asks how much has arrived and goes on from there. Resolves to the file's
 * address.
 */
async function uploadInPieces({ url, body, path, options, retry, ...given }: PiecesOrder): Promise<string> {
  const { overwrite = true, mime = '', onProgress, signal } = options
  const headers = { ...given.headers, ...TUS }
  const metadata = { pfad: path, ueberschreiben: String(overwrite), filetype: mime }
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${base64(value)}`)
  const creation = { ...headers, 'Upload-Length': String(body.size), 'Upload-Metadata': pairs.join(',') }
  const created = await request({ method: 'POST', url, headers: creation, signal }, retry, accepted)
  const location = new URL(created.header('Location') ?? '', url).href
  const { attempts = 5, firstPause = 500 } = retry
  for (let offset = 0, failures = 0; ; ) {
    const start = offset
    const piece = {
      ...{ method: 'PATCH', url: location, body: body.slice(start, start + PIECE), signal },
      headers: {
        ...headers,
        'Upload-Offset': String(start),
        'Content-Type': 'application/offset+octet-stream',
      },
      onProgress: onProgress && ((sent: number) => onProgress(start + sent, body.size)),
    }
    const answer = await send(piece)
      .then(accepted)
      .catch(async error => {
        // What was cancelled is not kept for a day.
        if (signal?.aborted) void send({ method: 'DELETE', url: location, headers }).catch(() => {})
        signal?.throwIfAborted()
        if (!mayContinue(error) || ++failures >= attempts) throw error
        await sleep(error.retryAfter ?? Math.min(firstPause * 2 ** (failures - 1), LONGEST_PAUSE), signal)
        return request({ method: 'HEAD', url: location, headers, signal }, retry, accepted)
      })
    offset = Number(answer.header('Upload-Offset'))
    if (offset > start) failures = 0
    if (offset >= body.size) return answer.header('X-Url') ?? ''
  }
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** The line broke, or another request for the same upload is still at work. */
const mayContinue = (error: unknown): error is FundusError =>
  error instanceof FundusError &&
  (mayPass(error.status) || (error.code?.startsWith('tus-') === true && [409, 423].includes(error.status)))

async function request<T>(
  order: Order,
  { attempts = 5, firstPause = 500 }: RetryOptions,
  take: (answer: Answer) => T = read<T>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    order.signal?.throwIfAborted()
    try {
      return take(await send(order))
    } catch (error) {
      if (!(error instanceof FundusError) || !mayPass(error.status) || tried >= attempts) throw error
      const pause = error.retryAfter ?? Math.min(firstPause * 2 ** (tried - 1), LONGEST_PAUSE)
      await sleep(pause, order.signal)
    }
  }
}

const mayPass = (status: number) => [0, 408, 429, 500, 502, 503, 504].includes(status)

function read<T>(answer: Answer): T {
  const body = jsonOf(answer)
  if (answer.status === 200 && body) return body as T
  throw problemOf(answer)
}

/** Any success, for answers in headers alone. */
function accepted(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw problemOf(answer)
}

function jsonOf({ text }: Answer): { error?: string } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    // Not from the service but from a proxy before it.
    return undefined
  }
}

function problemOf(answer: Answer): FundusError {
  const { status, header } = answer
  const seconds = Number(header('Retry-After') ?? Number.NaN)
  const message = jsonOf(answer)?.error ?? `Status ${status}`
  return new FundusError(
    message,
    status,
    header('X-Fehler-Code'),
    Number.isNaN(seconds) ? undefined : seconds * 1000,
  )
}

/** Only XMLHttpRequest tells a browser how much has gone out; elsewhere the body is counted as it is read. */
const send = (order: Order): Promise<Answer> =>
  order.onProgress && typeof XMLHttpRequest !== 'undefined' ? sendByRequest(order) : sendByFetch(order)

async function sendByFetch({ url, method, headers, body, onProgress, signal }: Order): Promise<Answer> {
  const options: RequestInit & { duplex?: 'half' } = { method, headers, signal: signal ?? null }
  if (body) options.body = onProgress ? counted(body, onProgress) : body
  // Without this Node refuses a body that is a stream.
  if (body && onProgress) options.duplex = 'half'
  try {
    const response = await fetch(url, options)
    const text = await response.text()
    return { status: response.status, text, header: name => response.headers.get(name) }
  } catch (error) {
    signal?.throwIfAborted()
    throw new FundusError(`No answer: ${error instanceof Error ? error.message : error}`, 0, null)
  }
}

function counted(body: Blob, onProgress: (sent: number, total: number) => void): ReadableStream<Uint8Array> {
  let sent = 0
  return body.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        sent += chunk.length
        onProgress(sent, body.size)
        controller.enqueue(chunk)
      },
    }),
  )
}

function sendByRequest({ url, method, headers, body, onProgress, signal }: Order): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total)
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        header: name => request.getResponseHeader(name),
      })
    request.onerror = () => reject(new FundusError('No answer', 0, null))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    request.send(body ?? null)
  })
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop)
  })
}

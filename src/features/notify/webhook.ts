/**
 * Sends one message to a webhook. The address must be public, like the addresses from which files are
 * fetched, unless the operator allows an internal chat server (`WEBHOOK_INTERN`). Without this rule, anyone
 * who may change the settings could send requests into the service's own network.
 *
 * The address is a secret: it must not appear in errors, log lines or answers.
 */
import { WEBHOOK_PROBLEMS } from '../../contract/service/webhook.ts'
import { Failure } from '../../errors/errors.ts'
import type { SendRequest } from '../fetch-url/request.ts'
import { payloadFor } from './dialect.ts'
import { demandedPause } from './pauses.ts'

/** Maximum milliseconds for sending one message and reading the start of the answer. */
const WEBHOOK_TIMEOUT = 10_000

/**
 * Maximum number of bytes of the webhook's answer that are used, and maximum number of characters of it that
 * are shown to the operator.
 */
const MAX_ANSWER_BYTES = 4096
const MAX_SHOWN_LENGTH = 300

/**
 * Minimum length, in characters, of a path segment or query value of the address that is treated as secret. A
 * shorter one is usually a word such as `hooks`.
 */
const MIN_SECRET_LENGTH = 8

interface SendResult {
  ok: boolean
  /** HTTP status; null if there was no answer. */
  status: number | null
  /**
   * The start of the answer, without the secret parts of the address. If there is no answer, or it is a
   * redirect, a German sentence that says so (`WEBHOOK_PROBLEMS`).
   */
  answer: string
  /** Whether a retry may succeed. */
  isRetryable: boolean
  /** Milliseconds that the receiver asks to wait; 0 if it asks for no pause. */
  pause: number
}

export type Webhook = ReturnType<typeof createWebhook>

/**
 * Sends a request to any address, without following redirects: a redirect would send the message to an
 * address that nobody chose, and usually as a GET.
 */
export const sendAnywhere: SendRequest = (address, { body = null, ...request }) =>
  fetch(address, { ...request, body, redirect: 'manual' })

interface WebhookParts {
  send: SendRequest
  now: () => number
  timeout?: number
}

export function createWebhook({ send, now, timeout = WEBHOOK_TIMEOUT }: WebhookParts) {
  return {
    /** Sends a message. Never rejects: a failure is part of the result. */
    async send(address: string, text: string, signal?: AbortSignal): Promise<SendResult> {
      const deadline = AbortSignal.timeout(timeout)
      try {
        const response = await send(address, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'User-Agent': 'Fundus' },
          body: JSON.stringify(payloadFor(address, text)),
          signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
        })
        return sendResultOf(response, await readBeginning(response), address, now())
      } catch (error) {
        // The error itself is not passed on: its text may contain the address.
        const isInternal = error instanceof Failure && error.code === 'fetch-network'
        const problem = isInternal ? 'internal' : deadline.aborted ? 'timeout' : 'unreachable'
        const answer = WEBHOOK_PROBLEMS[problem]
        return { ok: false, status: null, answer, isRetryable: true, pause: 0 }
      }
    },
  }
}

function sendResultOf(response: Response, body: string, address: string, now: number): SendResult {
  const { ok, status } = response
  const isRedirect = status >= 300 && status < 400
  return {
    ok,
    status,
    answer: isRedirect ? WEBHOOK_PROBLEMS.redirected : redactSecrets(body, address),
    isRetryable: status >= 500 || status === 408 || status === 429,
    pause: ok ? 0 : demandedPause(response.headers.get('Retry-After'), body, now),
  }
}

/** The body without the secret parts of the address: some servers repeat its path or query in an answer. */
function redactSecrets(body: string, address: string): string {
  const { href, pathname, search, searchParams } = new URL(address)
  const longParts = [...pathname.split('/'), ...searchParams.values()].filter(
    part => part.length >= MIN_SECRET_LENGTH,
  )
  const secretParts = [address, href, pathname + search, pathname, search, ...longParts].filter(
    part => part.length > 1,
  )
  const safeBody = secretParts.reduce((text, part) => text.replaceAll(part, '…'), body)
  return safeBody
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_SHOWN_LENGTH)
}

/** Reads the first `MAX_ANSWER_BYTES` of an answer without waiting for the rest. */
async function readBeginning(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_ANSWER_BYTES) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES))
}

/**
 * One message to one address, and what became of it. The address may lie in a private network, unlike those that files are
 * fetched from: a Mattermost of one's own usually does, and only who may change the settings chooses it.
 *
 * The address is a secret: it stands in no error, no log line and no answer.
 */
import { WEBHOOK_TROUBLE } from '../../contract/notify.ts'
import { dialectOf } from './dialect.ts'
import { demandedPause } from './pauses.ts'

export const WEBHOOK_TIMEOUT = 10_000

/** What is read of an answer, and what is shown of it. */
const ANSWER_BYTES = 4096
const ANSWER_LENGTH = 300

export interface Delivery {
  ok: boolean
  /** Null: there was no answer. */
  status: number | null
  /** The beginning of the answer, or a sentence about why there is none. */
  answer: string
  /** Whether trying again may help. */
  again: boolean
  /** Milliseconds that the other side asks to wait; 0 when it does not say. */
  pause: number
}

export interface Webhook {
  /** Never rejects. */
  send(address: string, text: string, signal?: AbortSignal): Promise<Delivery>
}

export type Fetch = (address: string, init: RequestInit) => Promise<Response>

export interface WebhookParts {
  fetch: Fetch
  now: () => number
  timeout?: number
}

export function createWebhook({ fetch, now, timeout = WEBHOOK_TIMEOUT }: WebhookParts): Webhook {
  return {
    async send(address, text, signal) {
      const deadline = AbortSignal.timeout(timeout)
      try {
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'User-Agent': 'Fundus' },
          body: JSON.stringify(dialectOf(address).payload(text)),
          // The message would go to somebody who was not chosen, and as a GET.
          redirect: 'manual',
          signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
        })
        return judged(response, await beginning(response), address, now())
      } catch {
        // What the runtime says of it may hold the address.
        const answer = deadline.aborted ? WEBHOOK_TROUBLE.timeout : WEBHOOK_TROUBLE.unreachable
        return { ok: false, status: null, answer, again: true, pause: 0 }
      }
    },
  }
}

function judged(response: Response, body: string, address: string, now: number): Delivery {
  const { ok, status } = response
  const isRedirect = status >= 300 && status < 400
  return {
    ok,
    status,
    answer: isRedirect ? WEBHOOK_TROUBLE.redirected : shown(body, address),
    again: status >= 500 || status === 408 || status === 429,
    pause: ok ? 0 : demandedPause(response.headers.get('Retry-After'), body, now),
  }
}

/** Some repeat the path they were asked for, which is the secret. */
function shown(body: string, address: string): string {
  const { pathname } = new URL(address)
  const safe = pathname.length > 1 ? body.replaceAll(address, '…').replaceAll(pathname, '…') : body
  return safe
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_LENGTH)
}

/** Whatever the other side goes on to send is not waited for. */
async function beginning(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= ANSWER_BYTES) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, ANSWER_BYTES))
}

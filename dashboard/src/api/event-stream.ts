/**
 * The event stream of this window. A background window closes it after a while: browsers allow few
 * connections to one host, and a forgotten window would take one from the windows in use.
 */
import type { EventName, ServiceEvent } from '../../../src/contract/files/events.ts'
import { createListeners } from '../state/observable.ts'
import { isSessionEnded, onSessionRenewed } from '../state/session.ts'
import { addressOf, get } from './client.ts'
import { markConnected, markDisconnected } from './connection.ts'
import { ApiError } from './error.ts'

const EVENT_NAMES = [
  'bereit',
  'neu_laden',
  'datei',
  'verwaltung',
  'vorschau',
  'fortschritt',
] as const satisfies readonly EventName[]
const REOPEN_DELAY_MS = 3000
const HIDDEN_CLOSE_DELAY_MS = 60_000

export type EventData<Name extends EventName> = Extract<ServiceEvent, { name: Name }>['data']

/**
 * Requests the session, because an `EventSource` does not report why it was refused. If the session has
 * ended, the answer is a 401, which `queries.ts` handles. After any other error answer, the connection counts
 * as lost.
 */
async function checkSession(): Promise<void> {
  const answerOrError = await get('ich').catch(error => error)
  if (answerOrError instanceof ApiError && answerOrError.status !== 401) markDisconnected()
}

export type EventStream = ReturnType<typeof openEventStream>

export function openEventStream() {
  const { emit, subscribe } = createListeners<[ServiceEvent]>()
  let eventSource: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasInterrupted = false

  function openStream(): void {
    clearTimeout(timer)
    if (eventSource || isSessionEnded.get()) return
    eventSource = new EventSource(addressOf('ereignisse'))
    for (const name of EVENT_NAMES) {
      eventSource.addEventListener(name, message => {
        markConnected()
        emit({ name, data: JSON.parse(message.data) } as ServiceEvent)
        // Events that occurred while no stream was open are lost, so everything is reloaded.
        if (name === 'bereit' && wasInterrupted) emit({ name: 'neu_laden', data: {} })
        if (name === 'bereit') wasInterrupted = false
      })
    }
    eventSource.addEventListener('error', () => {
      wasInterrupted = true
      if (isSessionEnded.get()) {
        closeStream()
        return
      }
      markDisconnected()
      // The browser reconnects by itself, unless the answer was not an event stream, such as the error page
      // of a proxy.
      if (eventSource?.readyState === EventSource.CLOSED) {
        closeStream()
        timer = setTimeout(openStream, REOPEN_DELAY_MS)
        void checkSession()
      }
    })
  }

  function closeStream(): void {
    eventSource?.close()
    eventSource = null
    wasInterrupted = true
  }

  function handleVisibility(): void {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') openStream()
    else timer = setTimeout(closeStream, HIDDEN_CLOSE_DELAY_MS)
  }

  document.addEventListener('visibilitychange', handleVisibility)
  const unsubscribeFromRenewals = onSessionRenewed(handleVisibility)
  openStream()

  return {
    subscribe,
    close() {
      document.removeEventListener('visibilitychange', handleVisibility)
      unsubscribeFromRenewals()
      clearTimeout(timer)
      closeStream()
    },
  }
}

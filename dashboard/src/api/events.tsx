/** Passes the events of the service to components, and refetches the queries that they affect. */
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react'
import type { EventName } from '../../../src/contract/files/events.ts'
import { hasPendingChanges } from './client.ts'
import { type EventData, type EventStream, openEventStream } from './event-stream.ts'
import { FILE_QUERIES, refreshQueries, useRefresh } from './use-refresh.ts'

/**
 * Milliseconds for which change events are collected. Moving a folder causes many events, but a single
 * refetch is enough.
 */
const GATHER_TIME_MS = 300
/**
 * Maximum number of times that a refetch is postponed while this page is changing something. When the open
 * folder is renamed, for example, the page must switch to the new name first; otherwise the refetch would
 * request the old name.
 */
const MAX_POSTPONEMENTS = 10

/** Queries that an administrative change affects, by the first part of their key. */
const ADMINISTRATION_QUERIES = [
  'tokens',
  'freigaben',
  'abgaben',
  'fristen',
  'einstellungen',
  'verwaltung',
  'benutzer',
  'sitzungen',
  'einladungen',
  'status',
  'sicherung',
]
/** Queries that the end of a long task affects, by the first part of their key. */
const TASK_QUERIES: Readonly<Record<EventData<'fortschritt'>['aufgabe'], readonly string[]>> = {
  sicherung: ['sicherung', 'uebersicht', 'status'],
  integritaet: ['maintenance', 'uebersicht'],
  thumbs: ['media'],
  webp: [],
  verwaiste: [],
}

const EventsContext = createContext<EventStream | null>(null)

export function EventsProvider({ children }: { children: ReactNode }) {
  const [stream, setStream] = useState<EventStream | null>(null)
  useEffect(() => {
    const openedStream = openEventStream()
    setStream(openedStream)
    return () => openedStream.close()
  }, [])
  return (
    <EventsContext value={stream}>
      <RefreshOnEvents />
      {children}
    </EventsContext>
  )
}

/** Calls `listener` for each event with this name while the component is shown. */
export function useEvents<Name extends EventName>(
  name: Name,
  listener: (data: EventData<Name>) => void,
): void {
  const stream = useContext(EventsContext)
  const callListener = useEffectEvent(listener)
  useEffect(
    () =>
      stream?.subscribe(event => {
        if (event.name === name) callListener(event.data as EventData<Name>)
      }),
    [stream, name],
  )
}

function RefreshOnEvents() {
  const refresh = useRefresh()
  const queryClient = useQueryClient()
  const [queryCollector] = useState(() => createNameCollector(names => void refresh(...names)))
  const [previewCollector] = useState(() =>
    createNameCollector(paths => {
      void refreshQueries(queryClient, { predicate: ({ state }) => containsAnyFile(state.data, paths) })
    }),
  )
  useEvents('datei', () => queryCollector.add(FILE_QUERIES))
  useEvents('vorschau', ({ pfad }) => previewCollector.add([pfad]))
  useEvents('verwaltung', () => queryCollector.add(ADMINISTRATION_QUERIES))
  useEvents('fortschritt', ({ aufgabe, fertig }) => fertig && queryCollector.add(TASK_QUERIES[aufgabe]))
  useEvents('neu_laden', () => void refresh())
  useEffect(() => {
    return () => {
      queryCollector.stop()
      previewCollector.stop()
    }
  }, [queryCollector, previewCollector])
  return null
}

/** The fields of an answer that can be lists of files: those of `media`, and those of `uebersicht`. */
interface FileLists {
  dateien?: unknown
  neueste?: unknown
  meist_abgerufen?: unknown
  nie_abgerufen?: { dateien: unknown }
}

/** Whether the answer to a query lists one of these files. */
function containsAnyFile(answer: unknown, paths: ReadonlySet<string>): boolean {
  const { dateien, neueste, meist_abgerufen, nie_abgerufen } = (answer ?? {}) as FileLists
  return [dateien, neueste, meist_abgerufen, nie_abgerufen?.dateien].some(
    files => Array.isArray(files) && files.some(file => paths.has(file.path)),
  )
}

/**
 * Returns a collector that gathers names for `GATHER_TIME_MS` and then passes them to `flush` together. While
 * a request of this page that changes data is pending, the collector waits for another `GATHER_TIME_MS`, at
 * most `MAX_POSTPONEMENTS` times.
 */
function createNameCollector(flush: (names: ReadonlySet<string>) => void) {
  let names = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flushUnlessChanging = (postponementCount: number) => {
    if (hasPendingChanges() && postponementCount < MAX_POSTPONEMENTS) {
      timer = setTimeout(flushUnlessChanging, GATHER_TIME_MS, postponementCount + 1)
      return
    }
    timer = undefined
    flush(names)
    names = new Set()
  }
  return {
    add(newNames: readonly string[]) {
      for (const name of newNames) names.add(name)
      timer ??= setTimeout(flushUnlessChanging, GATHER_TIME_MS, 0)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

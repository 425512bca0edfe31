/** Passes events of the service to the pages: refetches affected queries, reports progress. */
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react'
import type { EventName } from '../../../src/contract/files/events.ts'
import { isChanging } from './client.ts'
import { type DataOf, type EventStream, openEventStream } from './event-stream.ts'
import { refreshQueries, SHOWS_FILES, useRefresh } from './use-refresh.ts'

/**
 * Milliseconds for which change events are collected: moving a folder causes many, and a single refetch is
 * enough.
 */
const GATHER = 300
/**
 * Maximum number of times that a refetch is postponed for a pending change: pages that show a renamed folder
 * must request its new name first.
 */
const MAX_WAITS = 10

/** Queries that an administrative change affects, by the first part of their key. */
const SHOWS_ADMINISTRATION = [
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
const SHOWS_TASK: Readonly<Record<DataOf<'fortschritt'>['aufgabe'], readonly string[]>> = {
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
    const opened = openEventStream()
    setStream(opened)
    return () => opened.close()
  }, [])
  return (
    <EventsContext value={stream}>
      <RefreshOnEvents />
      {children}
    </EventsContext>
  )
}

/** Calls `listener` for each event of that name while the component is shown. */
export function useEvents<Name extends EventName>(name: Name, listener: (data: DataOf<Name>) => void): void {
  const stream = useContext(EventsContext)
  const heard = useEffectEvent(listener)
  useEffect(
    () =>
      stream?.subscribe(event => {
        if (event.name === name) heard(event.data as DataOf<Name>)
      }),
    [stream, name],
  )
}

function RefreshOnEvents() {
  const refresh = useRefresh()
  const queries = useQueryClient()
  const [gathered] = useState(() => createNameCollector(names => void refresh(...names)))
  const [previews] = useState(() =>
    createNameCollector(paths => {
      void refreshQueries(queries, { predicate: ({ state }) => listsAny(state.data, paths) })
    }),
  )
  useEvents('datei', () => gathered.add(SHOWS_FILES))
  useEvents('vorschau', ({ pfad }) => previews.add([pfad]))
  useEvents('verwaltung', () => gathered.add(SHOWS_ADMINISTRATION))
  useEvents('fortschritt', ({ aufgabe, fertig }) => fertig && gathered.add(SHOWS_TASK[aufgabe]))
  useEvents('neu_laden', () => void refresh())
  useEffect(() => {
    return () => {
      gathered.stop()
      previews.stop()
    }
  }, [gathered, previews])
  return null
}

/** Whether an answer lists one of these files. Other answers need no refetch because of a preview. */
function listsAny(answer: unknown, paths: ReadonlySet<string>): boolean {
  const { dateien } = (answer ?? {}) as { dateien?: unknown }
  return Array.isArray(dateien) && dateien.some(file => paths.has(file.path))
}

function createNameCollector(flush: (names: ReadonlySet<string>) => void) {
  let names = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (waits: number) => {
    if (isChanging() && waits < MAX_WAITS) {
      timer = setTimeout(end, GATHER, waits + 1)
      return
    }
    timer = undefined
    flush(names)
    names = new Set()
  }
  return {
    add(more: readonly string[]) {
      for (const name of more) names.add(name)
      timer ??= setTimeout(end, GATHER, 0)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

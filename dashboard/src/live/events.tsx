/** Events of the service reach the pages: affected queries are asked again, progress goes to its listeners. */
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react'
import type { EventName } from '../../../src/contract/events.ts'
import { type DataOf, type EventStream, openEventStream } from './event-stream.ts'

/** Milliseconds in which changes are gathered: moving a folder causes many, and one new request is enough. */
const GATHER = 300

/** Which queries show something that a file, or the administration, may have changed. By the first part of their key. */
const SHOWS_FILES = ['media', 'folders', 'uebersicht', 'papierkorb', 'verlauf', 'tokens']
const SHOWS_ADMINISTRATION = [
  'tokens',
  'freigaben',
  'einstellungen',
  'verwaltung',
  'benutzer',
  'status',
  'sicherung',
]
/** Queries whose answers the end of a long task may have changed. */
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
      <Refresh />
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

function Refresh() {
  const queries = useQueryClient()
  const [gathered] = useState(() =>
    createGathering(names => {
      void queries.invalidateQueries({ predicate: ({ queryKey }) => names.has(String(queryKey[0])) })
    }),
  )
  useEvents('datei', () => gathered.add(SHOWS_FILES))
  useEvents('verwaltung', () => gathered.add(SHOWS_ADMINISTRATION))
  useEvents('fortschritt', ({ aufgabe, fertig }) => fertig && gathered.add(SHOWS_TASK[aufgabe]))
  useEvents('neu_laden', () => void queries.invalidateQueries())
  useEffect(() => gathered.stop, [gathered])
  return null
}

function createGathering(flush: (names: ReadonlySet<string>) => void) {
  let names = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    add(more: readonly string[]) {
      for (const name of more) names.add(name)
      timer ??= setTimeout(() => {
        timer = undefined
        flush(names)
        names = new Set()
      }, GATHER)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

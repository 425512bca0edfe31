/** The trash by address. */
import { answered } from './api.ts'
import { dash } from './dashboard.ts'
import type { Service } from './service.ts'

export interface TrashEntry {
  nr: number
  path: string
  size: number
  mime: string
  art: string
  geloescht_am: number
  geloescht_von: string
  grund: string
  verfaellt_am: number
  vorschau: string | null
}

export interface TrashList {
  eintraege: TrashEntry[]
  gesamt: number
  bytes: number
  maxBytes: number
  maxTage: number
}

export interface Restored {
  wiederhergestellt: { nr: number; path: string; url: string }[]
  abgelehnt: { nr: number; grund: string; code: string }[]
}

/** Deletes through the dashboard, which must succeed; returns the trash numbers, in the order of `paths`. */
export async function throwAway(service: Service, session: string, ...paths: string[]): Promise<number[]> {
  const { geloescht } = await answered<{ geloescht: string[] }>(
    await dash(service, 'media/loeschen', { json: { pfade: paths }, session }),
  )
  if (geloescht.length !== paths.length) throw new Error(`Only ${geloescht.join(', ')} went to the trash.`)
  const { eintraege } = await trashOf(service, session, '?anzahl=200')
  return paths.map(path => eintraege.find(entry => entry.path === path)!.nr)
}

export async function trashOf(service: Service, session: string, query = ''): Promise<TrashList> {
  return answered(await dash(service, `papierkorb${query}`, { session }))
}

export async function restore(service: Service, session: string, ...nummern: number[]): Promise<Restored> {
  return answered(await dash(service, 'papierkorb/wiederherstellen', { json: { nummern }, session }))
}

/** Restores an entry; the file that is at its path now goes to the trash. */
export async function exchange(service: Service, session: string, nr: number): Promise<Restored> {
  const json = { nummern: [nr], ersetzen: true }
  return answered(await dash(service, 'papierkorb/wiederherstellen', { json, session }))
}

export async function emptyTrash(
  service: Service,
  session: string,
  nummern?: number[],
): Promise<{ entfernt: number; bytes: number }> {
  const json = nummern === undefined ? {} : { nummern }
  return answered(await dash(service, 'papierkorb/leeren', { json, session }))
}

/** Everything that the dashboard shows of an instance, for comparing it with an earlier state. */
import { dash } from './dashboard.ts'
import type { Service } from './service.ts'

const ROUTES = [
  'media?unterordner=1&anzahl=200&sortierung=name&richtung=auf',
  'media?unterordner=1&suche=bilder&anzahl=200',
  'folders',
  'tokens',
  'freigaben',
  'papierkorb?anzahl=200',
  'verlauf?anzahl=200',
  'verlauf?anzahl=200&gruppen=1',
  'statistik',
  'einstellungen',
  'benutzer',
  'einladungen',
  'merkzettel',
]

/** What a preview adds comes later and is left out. */
export async function portrait(service: Service, session: string): Promise<Record<string, unknown>> {
  const told: Record<string, unknown> = {}
  for (const route of ROUTES) {
    const response = await dash(service, route, { session })
    if (response.status !== 200) throw new Error(`${route}: ${response.status} ${await response.text()}`)
    told[route] = await response.json()
  }
  const withoutPreviews = JSON.stringify(told, (key, value) =>
    key === 'vorschau' || key === 'zuletzt_angemeldet' ? undefined : value,
  )
  return JSON.parse(withoutPreviews) as Record<string, unknown>
}

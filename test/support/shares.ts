/** Share links by address. */
import { dash } from './dashboard.ts'
import type { Service } from './service.ts'

export interface Share {
  schluessel: string
  ordner: string
  url: string
  erstellt_am: number
  erstellt_von: string
  gueltig_bis: number | null
}

export interface SharedFolder {
  ordner: string
  dateien: { name: string; size: number; art: string; url: string; laenge: number | null }[]
}

/** Makes a link, which must succeed. */
export async function share(
  service: Service,
  session: string,
  ordner: string,
  gueltig_bis?: number,
): Promise<Share> {
  const json = { ordner, ...(gueltig_bis !== undefined && { gueltig_bis }) }
  const response = await dash(service, 'freigaben', { json, session })
  if (response.status !== 200) throw new Error(`freigaben: ${response.status} ${await response.text()}`)
  return (await response.json()) as Share
}

/** What a stranger can read with it; the link must exist. */
export async function readShare(service: Service, { schluessel }: Share): Promise<SharedFolder> {
  const response = await fetch(`${service.url}/s/${schluessel}`)
  if (response.status !== 200) throw new Error(`/s/: ${response.status} ${await response.text()}`)
  return (await response.json()) as SharedFolder
}

/** Drop links, as the dashboard creates them and visitors use them. */
import { answered, type HeaderMap } from './api.ts'
import { dash } from './dashboard.ts'
import { filePart } from './ingest.ts'
import { MULTIPART, multipart, type Part } from './multipart.ts'
import { keepSecret } from './secrets.ts'
import type { Service } from './service.ts'

export interface DropInput {
  ordner: string
  hinweis?: string | null
  max_bytes?: number | null
  arten?: string[] | null
  gueltig_bis?: number | null
  anzahl?: number | null
}

export interface DropLink extends Required<DropInput> {
  schluessel: string
  adresse: string
  abgegeben: number
  bytes: number
  erstellt_von: string
}

export interface HandedIn {
  gespeichert: { name: string; size: number }[]
  abgelehnt: { name: string; grund: string; code: string }[]
}

export async function makeDrop(service: Service, session: string, json: DropInput): Promise<DropLink> {
  const link = await answered<DropLink>(await dash(service, 'abgaben', { json, session }))
  keepSecret('a drop link', link.schluessel)
  return link
}

export const dropLinks = async (service: Service, session: string) =>
  answered<DropLink[]>(await dash(service, 'abgaben', { session }))

/** Uploads files to a drop link, whatever the answer. */
export const handIn = (service: Pick<Service, 'url'>, key: string, parts: Part[], headers: HeaderMap = {}) =>
  fetch(`${service.url}/u/${key}`, {
    ...{ method: 'POST', body: multipart(parts), headers: { ...MULTIPART, ...headers } },
  })

export const handInOne = async (service: Service, key: string, name: string, content: Uint8Array | string) =>
  answered<HandedIn>(await handIn(service, key, [filePart(name, content)]))

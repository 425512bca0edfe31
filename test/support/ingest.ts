/** Uploads through the dashboard, by address. */
import { expect } from 'bun:test'
import type { HeaderMap } from './api.ts'
import { MULTIPART, multipart, type Part } from './multipart.ts'
import type { Service } from './service.ts'
import { type ZipEntry, type ZipOptions, zip } from './zip.ts'

export interface DashFile {
  id: string
  path: string
  url: string
  vorschau: string | null
  size: number
  sha256: string
  mime: string
  art: string
  updated_at: number
  abrufe: number
  zuletzt_abgerufen: number | null
  token_id?: string
}

export interface DashUploadAnswer {
  gespeichert: DashFile[]
  abgelehnt: { name: string; grund: string; code: string }[]
}

export const filePart = (
  filename: string,
  content: string | Uint8Array,
  type = 'application/octet-stream',
): Part => ({
  name: 'file',
  filename,
  type,
  content,
})

export const field = (name: string, content: string): Part => ({ name, content })

/** `POST /api/dash/upload`, whatever the answer. */
export function send(
  service: Service,
  session: string,
  parts: Part[],
  headers: HeaderMap = {},
): Promise<Response> {
  return fetch(`${service.url}/api/dash/upload`, {
    method: 'POST',
    body: multipart(parts),
    headers: { ...MULTIPART, Cookie: `fundus_sitzung=${session}`, ...headers },
  })
}

/** An upload that must be answered with 200. */
export async function sendOk(service: Service, session: string, parts: Part[]): Promise<DashUploadAnswer> {
  const response = await send(service, session, parts)
  const text = await response.text()
  expect({ status: response.status, text }).toEqual({ status: 200, text })
  return JSON.parse(text) as DashUploadAnswer
}

export const paths = ({ gespeichert }: DashUploadAnswer) => gespeichert.map(file => file.path)
export const refusedNames = ({ abgelehnt }: DashUploadAnswer) => abgelehnt.map(file => file.name)

let folders = 0
export const freshFolder = () => `ordner${folders++}`

/** Uploads an archive of these entries into a folder of its own; `stored` are the paths below it. */
export async function uploadArchive(
  service: Service,
  session: string,
  entries: readonly ZipEntry[],
  options: ZipOptions = {},
) {
  const folder = freshFolder()
  const archive = filePart('Paket.zip', zip(entries, options))
  const answer = await sendOk(service, session, [field('ordner', folder), archive])
  return { ...answer, folder, stored: paths(answer).map(path => path.slice(folder.length + 1)) }
}

/** Chunked forms with megabytes beside their file, sent piece by piece over a raw connection. */
import type { HeaderMap } from './api.ts'
import { BOUNDARY, MULTIPART } from './multipart.ts'
import { head, openRaw } from './raw.ts'

const PIECE = 'x'.repeat(256 * 1024)
const CHUNK = `${PIECE.length.toString(16)}\r\n${PIECE}\r\n`
const END = `--${BOUNDARY}--\r\n`
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const begin = (disposition: string) => `--${BOUNDARY}\r\n${disposition}\r\n\r\n`
const part = (name: string, content: string) =>
  `${begin(`Content-Disposition: form-data; name="${name}"${name === 'file' ? '; filename="a.bin"' : ''}`)}${content}\r\n`

/** What surrounds the padding, by its position. `sent`: the part that the route asks for. */
const PLACES = {
  'before the first part': (sent: string) => ['', `\r\n${sent}${END}`],
  'in a file that nobody asked for': (sent: string) => [
    `${sent}${begin('Content-Disposition: form-data; name="other"; filename="b.bin"')}`,
    `\r\n${END}`,
  ],
  'in a part without a name': (sent: string) => [begin('X-Nothing: 1'), `\r\n${sent}${END}`],
  'behind the last part': (sent: string) => [`${sent}${END}`, ''],
} as const

export type PaddingPlace = keyof typeof PLACES
export const PADDING_PLACES = Object.keys(PLACES) as PaddingPlace[]

interface PaddedForm {
  /** For example `POST /api/upload`. */
  request: string
  headers: HeaderMap
  place: PaddingPlace
  megabytes: number
  /** The field that the route asks for; `file` is sent as a file. */
  field?: { name: string; value: string }
  /** Called for every few megabytes sent. */
  onProgress?: () => void
}

/** Stops sending when the service answers before the end of the form. */
export async function sendPaddedForm(port: number, form: PaddedForm): Promise<Response> {
  const { request, headers, place, megabytes, field = { name: 'file', value: 'kept' }, onProgress } = form
  const [before = '', behind = ''] = PLACES[place](part(field.name, field.value))
  using connection = await openRaw(port)
  await connection.write(head(request, { ...MULTIPART, ...headers, 'Transfer-Encoding': 'chunked' }))
  if (before !== '') await connection.write(chunk(before))
  let sent = 0
  while (sent < megabytes * 4 && !connection.hasAnswer) {
    await connection.write(CHUNK)
    if (++sent % 16 === 0) onProgress?.()
  }
  if (!connection.hasAnswer) await connection.write(`${behind === '' ? '' : chunk(behind)}0\r\n\r\n`)
  return await connection.answer({ deadlineMs: 60_000 })
}

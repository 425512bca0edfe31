/** An error as a person in a browser reads it: its sentence on a small page. Status and headers stay those of the JSON. */
import type { Failure } from '../../errors.ts'
import { messagePage, pageHeaders } from './share.page.ts'

export function errorPage(
  { sentence }: Failure,
  answer: Response,
  { DIENST, PUBLIC_URL }: { DIENST: string; PUBLIC_URL: string },
): Response {
  const { status, headers } = answer
  for (const [name, value] of Object.entries(pageHeaders(PUBLIC_URL))) headers.set(name, value)
  return new Response(messagePage({ sentence, service: DIENST }), { status, headers })
}

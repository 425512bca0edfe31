/** Turns an error answer into a small page for a browser; keeps the status and all other headers. */
import type { Failure } from '../../errors/errors.ts'
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

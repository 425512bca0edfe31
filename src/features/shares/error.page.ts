/**
 * Turns an error answer into a small page with its sentence, for a person in a browser. The status stays that
 * of the JSON answer; its headers stay too, except those that a page sets itself.
 */
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

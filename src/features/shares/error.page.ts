/**
 * Turns an error answer into a page with one sentence, for a browser. Keeps the status and the headers; only
 * those from `pageHeaders`, which describe the page, are replaced.
 */
import { messagePage, type PageMessage, pageHeaders } from './page-frame.ts'

export function errorPage(
  message: Omit<PageMessage, 'service'>,
  answer: Response,
  { DIENST, PUBLIC_URL }: { DIENST: string; PUBLIC_URL: string },
): Response {
  const { status, headers } = answer
  for (const [name, value] of Object.entries(pageHeaders(PUBLIC_URL, message.language)))
    headers.set(name, value)
  return new Response(messagePage({ ...message, service: DIENST }), { status, headers })
}

/** Who gets the page of a share link instead of its JSON: browsers, and chats that preview the link. */
import { prefersHtml } from '../../http/answers/accept.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'

/**
 * Names, in lower case, under which chats and social networks fetch a page for its Open Graph data. Like
 * other programs, they accept any media type, so they are recognized by `User-Agent`.
 */
const PREVIEW_BOTS = [
  'discordbot',
  'telegrambot',
  'whatsapp',
  'slackbot',
  'facebookexternalhit',
  'facebot',
  'twitterbot',
  'linkedinbot',
  'skypeuripreview',
  'microsoftpreview',
  'mattermost',
  'mastodon',
  'synapse',
  'bluesky',
  'iframely',
  'redditbot',
  'viber',
]

export function wantsPage({ headers }: Pick<IncomingRequest, 'headers'>): boolean {
  const accept = headers.get('Accept')
  if (prefersHtml(accept)) return true
  const userAgent = headers.get('User-Agent')?.toLowerCase() ?? ''
  return PREVIEW_BOTS.some(bot => userAgent.includes(bot)) && !accept?.includes('json')
}

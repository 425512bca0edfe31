/**
 * Turns plain text into the request body that a chat expects. Escapes what the chat would show as formatting,
 * as a mention or as a link, because files and tokens may have any name. There are two dialects: Discord's,
 * and Slack's, which Mattermost and Rocket.Chat understand too.
 */
import { MAX_MESSAGE_LENGTH } from '../../contract/service/webhook.ts'

const WORD_OR_SPACE = /\s+|\S+/gu
/** Matches the pieces of a long word. Each piece fits into a message. */
const WORD_PIECES = /.{1,200}/gsu

/**
 * A word with a match is put in backquotes, as code, which chats show unchanged. The last three alternatives
 * (`://`, `www.`, `mailto:`) begin an address, which a chat would turn into a link.
 */
const DISCORD_FORMATTING = /[*_~|\\[\]#<>]|:\/\/|www\.|mailto:/i
const SLACK_FORMATTING = /[*_~|\\[\]#]|:\/\/|www\.|mailto:/i

/** An invisible character. After an `@` it turns a mention into a name that nobody has. */
const ZERO_WIDTH_SPACE = '\u200b'

/** With an empty `allowed_mentions`, a mention that slipped through notifies nobody. */
const discordPayload = (text: string) => ({
  content: composeMessage(text, DISCORD_FORMATTING, word => word),
  allowed_mentions: { parse: [] },
})

const slackPayload = (text: string) => ({ text: composeMessage(text, SLACK_FORMATTING, escapeSlack) })

/**
 * The request body, not yet serialised as JSON. The address of the webhook decides on the dialect. Slack's is
 * used for Slack's own hosts, for `/hooks/…` of Mattermost and Rocket.Chat (also below a path prefix), and
 * for paths that end in `/slack`, at which Discord accepts Slack's dialect. Every other address gets
 * Discord's.
 */
export function payloadFor(address: string, text: string): Record<string, unknown> {
  const { hostname, pathname } = new URL(address)
  const segments = pathname.split('/').filter(segment => segment !== '')
  const isSlack =
    /^hooks\.slack(-gov)?\.com$/.test(hostname) ||
    segments.slice(0, -1).includes('hooks') ||
    segments.at(-1) === 'slack'
  return isSlack ? slackPayload(text) : discordPayload(text)
}

function composeMessage(text: string, formatting: RegExp, escapeWord: (word: string) => string): string {
  let message = ''
  for (const [word] of cleanText(text).matchAll(WORD_OR_SPACE)) {
    const isCode = formatting.test(word)
    for (const [piece] of word.matchAll(WORD_PIECES)) {
      const escapedPiece = escapeWord(isCode ? `\`${piece}\`` : piece).replaceAll('@', `@${ZERO_WIDTH_SPACE}`)
      if (message.length + escapedPiece.length >= MAX_MESSAGE_LENGTH) return `${message.trimEnd()}…`
      message += escapedPiece
    }
  }
  return message
}

/**
 * Replaces backquotes, which would end the code. Removes superfluous spaces, control characters other than
 * line breaks, and characters that change the direction of writing.
 */
const cleanText = (text: string) =>
  text
    .replaceAll('`', '´')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/(?!\n)[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()

/** Slack's escaping: https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escapeSlack = (word: string) =>
  word.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

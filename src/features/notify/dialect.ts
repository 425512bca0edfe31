/**
 * Plain text as a chat wants it: nothing in it is formatting, calls anybody or leads anywhere, whatever a file or a token is
 * named. Two dialects: Discord's, and that of Slack, which Mattermost and Rocket.Chat speak too.
 */
import { MESSAGE_LENGTH } from '../../contract/notify.ts'

/** Long words are looked at in pieces, so that one of them cannot be longer than a message. */
const PIECES = /\s+|\S{1,200}/gu

/** A word with any of these is put in code marks, where all three show it as it is. */
const DISCORD_MARKS = /[*_~|\\[\]#<>]/
const SLACK_MARKS = /[*_~|\\[\]#]/

/** Behind an `@` it makes a name of it that nobody has, and cannot be seen. */
const ZERO_WIDTH_SPACE = '\u200b'

export interface Dialect {
  /** The body of the request. */
  payload(text: string): Record<string, unknown>
}

const discord: Dialect = {
  // Without `allowed_mentions` a name that slipped through would still ring.
  payload: text => ({
    content: composed(text, DISCORD_MARKS, word => word),
    allowed_mentions: { parse: [] },
  }),
}

const slack: Dialect = {
  payload: text => ({ text: composed(text, SLACK_MARKS, escaped) }),
}

/**
 * Told from the address: Slack's own hosts, `/hooks/…` of Mattermost and Rocket.Chat (also below a folder), and Discord's
 * own door for Slack's form, `…/slack`. Everybody else gets Discord's form.
 */
export function dialectOf(address: string): Dialect {
  const { hostname, pathname } = new URL(address)
  const segments = pathname.split('/').filter(segment => segment !== '')
  const isSlack =
    /^hooks\.slack(-gov)?\.com$/.test(hostname) ||
    segments.slice(0, -1).includes('hooks') ||
    segments.at(-1) === 'slack'
  return isSlack ? slack : discord
}

function composed(text: string, marks: RegExp, spelt: (word: string) => string): string {
  let message = ''
  for (const [piece] of cleaned(text).matchAll(PIECES)) {
    const shown = spelt(marks.test(piece) ? `\`${piece}\`` : piece).replaceAll('@', `@${ZERO_WIDTH_SPACE}`)
    if (message.length + shown.length >= MESSAGE_LENGTH) return `${message.trimEnd()}…`
    message += shown
  }
  return message
}

/** Backquotes would end the code marks; control characters, and those that turn the direction of reading, have no place. */
const cleaned = (text: string) =>
  text
    .replaceAll('`', '´')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/(?!\n)[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escaped = (word: string) =>
  word.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

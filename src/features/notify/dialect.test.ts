import { describe, expect, test } from 'bun:test'
import { payloadFor } from './dialect.ts'

const DISCORD = 'https://discord.com/api/webhooks/1/x'
const SLACK = 'https://hooks.slack.com/services/T/B/x'
const discord = (text: string) => String(payloadFor(DISCORD, text).content)
const slack = (text: string) => String(payloadFor(SLACK, text).text)
const ZWS = '\u200b'

describe('which form an address gets', () => {
  test.each([
    [DISCORD, 'discord'],
    ['https://discordapp.com/api/webhooks/1/hooks', 'discord'],
    ['https://chat.example.org/anything', 'discord'],
    ['https://hooks.slack.com.evil.example/services/x', 'discord'],
    ['https://example.org/webhooks/x', 'discord'],
    [SLACK, 'slack'],
    ['https://hooks.slack-gov.com/services/x', 'slack'],
    ['http://mattermost.lan:8065/hooks/abc', 'slack'],
    ['https://example.org/chat/hooks/abc', 'slack'],
    ['https://rocket.example.org/hooks/id/token', 'slack'],
    ['https://discord.com/api/webhooks/1/x/slack', 'slack'],
  ])('%s: %s', (address, form) => {
    const payload = payloadFor(address, 'x')
    expect(payload).toEqual(
      form === 'slack' ? { text: 'x' } : { content: 'x', allowed_mentions: { parse: [] } },
    )
  })
})

describe('nothing in a text calls anybody or is formatting', () => {
  test.each<[string, string, string]>([
    ['items/plain-name.png', 'items/plain-name.png', 'items/plain-name.png'],
    ['@everyone', `@${ZWS}everyone`, `@${ZWS}everyone`],
    ['@here da', `@${ZWS}here da`, `@${ZWS}here da`],
    ['a@b@c', `a@${ZWS}b@${ZWS}c`, `a@${ZWS}b@${ZWS}c`],
    ['<@123>', `\`<@${ZWS}123>\``, `&lt;@${ZWS}123&gt;`],
    ['<@&123>', `\`<@${ZWS}&123>\``, `&lt;@${ZWS}&amp;123&gt;`],
    ['<!channel>', '`<!channel>`', '&lt;!channel&gt;'],
    ['<#123>', '`<#123>`', '`&lt;#123&gt;`'],
    ['<https://evil.example|hier>', '`<https://evil.example|hier>`', '`&lt;https://evil.example|hier&gt;`'],
    ['[hier](https://evil.example)', '`[hier](https://evil.example)`', '`[hier](https://evil.example)`'],
    // Chats turn every bare address into a link.
    ['https://evil.example', '`https://evil.example`', '`https://evil.example`'],
    ['von HTTP://x.example an', 'von `HTTP://x.example` an', 'von `HTTP://x.example` an'],
    ['www.evil.example', '`www.evil.example`', '`www.evil.example`'],
    ['mailto:a.example', '`mailto:a.example`', '`mailto:a.example`'],
    ['a: b//c d:/e', 'a: b//c d:/e', 'a: b//c d:/e'],
    ['R&D', 'R&D', 'R&amp;D'],
    ['&lt;', '&lt;', '&amp;lt;'],
    ['a/my_file_name.png', '`a/my_file_name.png`', '`a/my_file_name.png`'],
    ['**fett und** so', '`**fett` `und**` so', '`**fett` `und**` so'],
    ['||still||', '`||still||`', '`||still||`'],
    ['~~weg~~', '`~~weg~~`', '`~~weg~~`'],
    ['# groß', '`#` groß', '`#` groß'],
    ['> Zitat', '`>` Zitat', '&gt; Zitat'],
    ['`x` ```y```', '´x´ ´´´y´´´', '´x´ ´´´y´´´'],
    ['a`_b', '`a´_b`', '`a´_b`'],
    ['zwei\nZeilen', 'zwei\nZeilen', 'zwei\nZeilen'],
    ['Tab\tund\r\nEnde\u0000', 'Tab und \nEnde', 'Tab und \nEnde'],
    ['\u202egnp.exe', 'gnp.exe', 'gnp.exe'],
  ])('%j', (text, forDiscord, forSlack) => {
    expect(discord(text)).toBe(forDiscord)
    expect(slack(text)).toBe(forSlack)
  })
})

test('an address that a cut runs through is no link either', () => {
  const text = `${'x'.repeat(194)}https://evil.example`
  for (const shown of [discord(text), slack(text)]) {
    expect(shown.replaceAll('`', '')).toBe(text)
    expect(shown.startsWith('`') && shown.endsWith('`')).toBe(true)
  }
})

describe('at most 2000 characters', () => {
  test.each<[string, string]>([
    ['many words', 'Wort '.repeat(1000)],
    ['one word', 'x'.repeat(5000)],
    ['words in code marks', 'a_b '.repeat(1000)],
    ['letters that grow when escaped', '&'.repeat(3000)],
    ['letters of two units', '😀'.repeat(3000)],
  ])('%s', (_, text) => {
    for (const shown of [discord(text), slack(text)]) {
      expect(shown.length).toBeLessThanOrEqual(2000)
      expect(shown.length).toBeGreaterThan(900)
      expect(shown.endsWith('…')).toBe(true)
      expect(shown.isWellFormed()).toBe(true)
      // No code mark is left open.
      expect(shown.split('`').length % 2).toBe(1)
    }
    expect(slack(text)).not.toMatch(/&(?!amp;|lt;|gt;)/)
  })

  test('what fits is not cut', () => {
    expect(discord('x '.repeat(900))).toHaveLength(1799)
  })
})

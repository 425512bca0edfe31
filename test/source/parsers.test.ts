/**
 * Code that parses text from outside by hand, or with several expressions together, is run against 16 KB of
 * hostile text. Single expressions are found automatically (`expressions.test.ts`); a new parser has to be
 * added here.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { cleanGeneratedName } from '../../src/contract/paths/clean-path.ts'
import { isMediaType, kindOf, mediaTypeEssence } from '../../src/contract/paths/kinds.ts'
import { lowerCaseAscii } from '../../src/contract/paths/lower-case.ts'
import { splitPath } from '../../src/contract/paths/path-parts.ts'
import { germanPathFault } from '../../src/contract/paths/path-rules.ts'
import { SETTING_NAMES, settingSchemas } from '../../src/contract/service/settings.ts'
import { splitUnquoted, trimBothEnds } from '../../src/contract/values/text.ts'
import { chooseFileName } from '../../src/features/fetch-url/file-name.ts'
import { presentationOf } from '../../src/features/serve/presentation.ts'
import { cookieValues } from '../../src/features/session/session-scope.ts'
import { isSystemEntry } from '../../src/features/zip-upload/clean-entry-name.ts'
import { createFindClientAddress, isLoopback, parseNetworks } from '../../src/http/access/client-address.ts'
import { mayAccessFiles } from '../../src/http/access/files-host.ts'
import { acceptedEncoding, acceptsWebp, prefersHtml } from '../../src/http/answers/accept.ts'
import { isRangeStillValid, matchesIfNoneMatch, requestedRange } from '../../src/http/answers/conditions.ts'
import { csvCell } from '../../src/http/answers/csv.ts'
import { parseHttpDate } from '../../src/http/answers/http-date.ts'
import { pathOf } from '../../src/http/url-parts.ts'
import { parseObjectName } from '../../src/storage/names.ts'
import { isSlow } from './expressions.ts'

setDefaultTimeout(180_000)

const LIMIT = 5
const LENGTH = 16 * 1024

const UNITS = [
  ...' \t\n\0a0/\\.,;:=-_~%"\'<>[]*',
  '\\"',
  'a=b;',
  '"a",',
  '";',
  'q=0;',
  'a/',
  '1.',
  '::',
  'é',
  '＝',
]
const ENDS = ['', 'x', '"', '\n', '\0']

/** A request with this text in every header, even where a header could not carry it. */
const requestWith = (text: string) => ({ method: 'POST', headers: { get: () => text } }) as unknown as Request
const clientAddress = createFindClientAddress(['127.0.0.1'])
const peers = { requestIP: () => ({ address: '127.0.0.1' }) }
const nameOf = (hints: { disposition?: string; contentType?: string; url?: URL }) => {
  const nothing = { disposition: '', contentType: '', firstBytes: new Uint8Array(), sha256: 'f'.repeat(64) }
  return chooseFileName({ ...nothing, url: new URL('http://a.example/'), ...hints }, 'folder')
}

/** Each with the beginnings of texts that it looks for. */
const PARSERS: [name: string, starts: string[], read: (text: string) => unknown][] = [
  ['Range', ['', 'bytes=', 'bytes=0-', 'bytes=-'], text => requestedRange(text, 1000)],
  ['If-None-Match', ['', '"', 'W/"'], text => matchesIfNoneMatch(text, '"a"')],
  ['If-Range', ['', '"'], text => isRangeStillValid(text, { etag: '"a"', modified: 0 })],
  ['an HTTP date', ['', 'Sun, 06 Nov ', 'Sunday, 06-Nov-', 'Sun Nov '], parseHttpDate],
  ['Accept for WebP', ['', 'image/webp;', 'image/webp;x="'], acceptsWebp],
  ['Accept for HTML', ['', 'text/html;q='], prefersHtml],
  ['Accept-Encoding', ['', 'br;'], text => acceptedEncoding(text, ['br', 'gzip'])],
  ['Cookie', ['', 'a='], text => cookieValues(requestWith(text), 'fundus_sitzung')],
  ['X-Forwarded-For', ['', '1.2.3.4', '[', '::'], text => clientAddress(requestWith(text), peers)],
  ['the address of a socket', ['', '::ffff:', 'fe80::1%'], isLoopback],
  ['TRUST_PROXY', ['', '1.2.3.4/'], parseNetworks],
  ['Host', ['', 'a:', '['], text => mayAccessFiles(requestWith(text), 'a')],
  ['an address', ['', 'http://a/', '/'], pathOf],
  [
    'a media type',
    ['', 'a/b', 'a/b;', 'a/b;c="'],
    text => [isMediaType(text), mediaTypeEssence(text), kindOf(text)],
  ],
  ['a stored type', ['', 'text/html;', 'image/svg'], presentationOf],
  ['a path', ['', 'a/', 'a.'], text => [germanPathFault(text), lowerCaseAscii(text), splitPath(text)]],
  ['a name to be cleaned', ['', 'a'], text => cleanGeneratedName(text, 100_000)],
  ['an object name', ['', 'files/', 'trash/1~a', 'files/a~'], parseObjectName],
  ['a cell of CSV', ['', "'"], csvCell],
  ['the name of a ZIP entry', ['', '__MACOSX/'], isSystemEntry],
  [
    'Content-Disposition of a fetched file',
    ['', 'attachment;', 'attachment; filename="', "a; filename*=utf-8'", 'a; filename='],
    disposition => nameOf({ disposition }),
  ],
  ['Content-Type of a fetched file', ['', 'a/b;'], contentType => nameOf({ contentType })],
  [
    'the address of a fetched file',
    [''],
    text => nameOf({ url: new URL(`http://a.example/${encodeURIComponent(text)}`) }),
  ],
  ['text cut at its ends', ['', 'a'], text => trimBothEnds(text, ' .-_')],
  ['text split at semicolons', ['', '"'], text => splitUnquoted(text, ';')],
]
const SETTINGS = SETTING_NAMES.map<(typeof PARSERS)[number]>(name => [
  `the setting ${name}`,
  ['', 'http://', 'https://a', 'D:\\', '\\\\a\\', '/', '0', '['],
  text => settingSchemas[name].safeParse(text).success,
])

test.each([...PARSERS, ...SETTINGS])(
  '%s is read in under 5 ms, whatever it holds',
  async (_, starts, read) => {
    const slow: string[] = []
    for (const start of starts) {
      for (const unit of UNITS) {
        const middle = unit.repeat(Math.ceil(LENGTH / unit.length))
        for (const end of ENDS) {
          const text = start + middle + end
          if (await isSlow(() => read(text), LIMIT)) slow.push(`${start}${unit}…${end}`)
        }
      }
    }
    expect(slow).toEqual([])
  },
)

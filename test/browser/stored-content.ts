/**
 * What an attacker might upload: every file runs a script where a browser treats it as a page or as a script.
 */
import type { HeaderMap } from '../support/api.ts'
import { jpeg } from '../support/pictures.ts'
import { STORED, zip } from '../support/zip.ts'

export interface Upload {
  name: string
  headers: HeaderMap
  body: Uint8Array<ArrayBuffer>
  /** The media type with which it would be a page whose script runs; undefined: none. */
  page?: string
  /** Whether it would run as a script. */
  script?: boolean
}

/** The report of an upload's script: where it ran, and what the API answered. */
export interface Report {
  /** The address at which it was opened. */
  at: string
  origin: string
  account: string
}

export const FOLDER = 'content'
/** A file that every upload tries to delete. */
export const VICTIM = 'kept/victim.txt'
const HTML = 'text/html'

/**
 * Reports through `witness`, a function that the test adds to each window, and through a channel that also
 * reaches workers. A single line without `<`, `&`, `%` and double quotes, so that it is valid in every
 * format.
 */
const PAYLOAD = `(async () => {
  const at = /https?:[^ ()]+?(?=:[0-9]+:[0-9]+)/.exec(new Error().stack)?.[0] ?? location.href;
  const say = account => {
    const text = JSON.stringify({ at, origin: self.origin, account });
    try { self.witness?.(text) } catch {};
    try { new BroadcastChannel('witness').postMessage(text) } catch {};
  };
  const ask = async (route, options) => {
    try { return await (await fetch(new URL('/api/dash/' + route, at), { credentials: 'include', ...options })).text() }
    catch { return '' }
  };
  say('');
  const body = JSON.stringify({ pfade: ['${VICTIM}'] });
  await ask('media/loeschen', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  if (self.origin !== new URL(at).origin) await ask('media/loeschen', { method: 'POST', body, mode: 'no-cors' });
  say(await ask('ich'));
})()`.replaceAll(/\n */g, ' ')
const TAG = `<script>${PAYLOAD}</script>`
const PAGE = `<!doctype html><title>x</title>${TAG}`
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'
const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

const bytes = (...parts: (string | Uint8Array)[]) =>
  new Uint8Array(Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part))))

/** A comment (COM) after the first marker of a picture. */
async function jpegWith(comment: string) {
  const picture = await jpeg({ width: 32, height: 32 })
  const size = comment.length + 2
  return bytes(
    picture.subarray(0, 2),
    Uint8Array.of(0xff, 0xfe, size >> 8, size & 255),
    comment,
    picture.subarray(2),
  )
}

/** A custom section with a text. Its length is a two-byte LEB128 number, enough for 16 KB. */
function wasmWith(text: string) {
  const length = text.length + 2
  const head = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, (length & 127) | 128, length >> 7)
  return bytes(head, Uint8Array.of(1), 'x', text)
}

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\);this.submitForm\\('/api/dash/media/loeschen'\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Root 1 0 R>>
`
const MHTML = `From: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="x"; type="text/html"\r\n\r\n`
const part = `--x\r\nContent-Type: text/html\r\n\r\n${PAGE}\r\n--x--\r\n`

type Row = [
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
  runs: Pick<Upload, 'page' | 'script'>,
  mime?: string,
]

const ROWS = async (): Promise<Row[]> => [
  // Labelled correctly.
  ['page.html', PAGE, { page: HTML }],
  ['page.xhtml', `<html ${XHTML}><script>${PAYLOAD}</script></html>`, { page: 'application/xhtml+xml' }],
  ['script.svg', `<svg ${SVG}>${TAG}</svg>`, { page: 'image/svg+xml' }],
  [
    'foreign.svg',
    `<svg ${SVG}><foreignObject><body ${XHTML}><script>${PAYLOAD}</script></body></foreignObject></svg>`,
    { page: 'image/svg+xml' },
  ],
  [
    'xlink.svg',
    `<svg ${SVG}><script xlink:href="data:text/javascript,${encodeURIComponent(PAYLOAD)}"/></svg>`,
    { page: 'image/svg+xml' },
  ],
  [
    'entity.svg',
    `<!DOCTYPE svg [<!ENTITY run "${PAYLOAD}"><!ENTITY file SYSTEM "/api/dash/ich">]><svg ${SVG}><script>&run;</script><text>&file;</text></svg>`,
    { page: 'image/svg+xml' },
  ],
  [
    'xslt.xml',
    `<?xml-stylesheet type="text/xsl" href="sheet.xsl"?><x><script ${XHTML}>${PAYLOAD}</script></x>`,
    { page: 'text/xml' },
  ],
  [
    'sheet.xsl',
    `<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:template match="/"><html>${TAG}</html></x:template></x:stylesheet>`,
    { page: HTML },
  ],
  ['actions.pdf', PDF + PAGE, { page: HTML }],
  ['page.mhtml', MHTML + part, { page: HTML }],
  ['module.wasm', wasmWith(PAGE), { page: HTML }],
  ['plain.js', PAYLOAD, { script: true }],
  ['plain.mjs', PAYLOAD, { script: true }],
  ['data.json', JSON.stringify({ text: TAG }), { page: HTML }],
  ['callback.json', `void 0,${PAYLOAD}`, { script: true }],
  ['style.css', `body { color: red } /* </style>${PAGE} */`, { page: HTML }],
  ['app.hta', `<html><hta:application id="x"/>${TAG}</html>`, { page: HTML }],
  // Valid as two types at once.
  ['script.gif', `GIF89a:/*\0\0*/${PAYLOAD}`, { script: true }],
  ['page.jpg', await jpegWith(PAGE), { page: HTML }],
  ['page.zip', zip([{ name: 'index.html', content: PAGE, method: STORED }]), { page: HTML }],
  ['page.jar', zip([{ name: 'index.html', content: PAGE, method: STORED }]), { page: HTML }],
  // Labelled as something else.
  ['html.png', PAGE, { page: HTML }, 'text/html'],
  ['utf7.png', PAGE, { page: HTML }, 'Text/HTML; charset=utf-7'],
  ['xhtml.png', `<html ${XHTML}>${TAG}</html>`, { page: 'text/xml' }, 'application/xhtml+xml'],
  ['svg.png', `<svg ${SVG}>${TAG}</svg>`, { page: 'image/svg+xml' }, 'image/svg+xml'],
  ['any.png', `<svg ${SVG}>${TAG}</svg>`, { page: 'image/svg+xml' }, 'audio/x+xml'],
  ['mixed.png', part, { page: HTML }, 'multipart/x-mixed-replace; boundary=x'],
  ['png.html', PAGE, { page: HTML }, 'image/png'],
  ['text.html', PAGE, { page: HTML }, 'text/plain'],
  ['pdf.html', PAGE, { page: HTML }, 'application/pdf'],
  ['film.html', PAGE, { page: HTML }, 'video/mp4'],
  ['script.png', PAYLOAD, { script: true }, 'text/javascript'],
  ['picture.js', PAYLOAD, { script: true }, 'image/png'],
  ['text.js', PAYLOAD, { script: true }, 'text/plain'],
]

export const uploads = async (): Promise<Upload[]> =>
  (await ROWS()).map(([name, body, runs, mime]) => ({
    name,
    body: bytes(body),
    headers: mime === undefined ? {} : { 'X-Mime': mime },
    ...runs,
  }))

const CONTENT = /^\/(f|t|api\/dash\/(inhalt|vorschau))\//
const PROTECTION =
  /^(content-security-policy|x-content-type-options|content-disposition|x-frame-options|cross-origin-.*)$/

/**
 * The same service at another address, without any protecting header. The `as` parameter sets the type of a
 * file; a frame without it shows the file as a page.
 */
export function unprotected(url: string): Bun.Server<unknown> {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url)
      const forwarded = new Headers(request.headers)
      forwarded.set('Accept-Encoding', 'identity')
      // A WebP variant would contain none of the uploaded bytes.
      if (CONTENT.test(pathname)) forwarded.set('Accept', '*/*')
      const { method, body, signal } = request
      const answer = await fetch(url + pathname + search, { method, body, signal, headers: forwarded })
      const headers = new Headers(answer.headers)
      for (const name of [...headers.keys()]) if (PROTECTION.test(name)) headers.delete(name)
      const isFramed = CONTENT.test(pathname) && request.headers.get('Sec-Fetch-Dest') === 'iframe'
      const type = searchParams.get('as') || (isFramed && HTML)
      if (type) headers.set('Content-Type', type)
      return new Response(answer.body, { status: answer.status, headers })
    },
    // A page may still send requests when its test and the service have ended.
    error: () => new Response(null, { status: 502 }),
  })
}

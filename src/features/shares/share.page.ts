/** A shared folder as a page: plain HTML, no script, nothing from elsewhere but the previews. */
import { createHash } from 'node:crypto'
import { formatBytes } from '../../contract/bytes.ts'
import { KIND_WORDS, SHARE_PAGE_LANGUAGE, SHARE_PAGE_WORDS as WORDS } from '../../contract/share-page.ts'
import { escaped } from '../../http/html.ts'
import type { PagedFile, SharedPage } from './shared-files.ts'

/** Where the next page begins: behind this name. */
export const AFTER_PARAMETER = 'nach'

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: light-dark(#1c5fb0, #7db4f5) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 0 auto; padding: 16px 16px 64px }
h1 { font-size: 1.4rem; overflow-wrap: anywhere } a { color: var(--accent) } p { opacity: .8 }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10rem), 1fr)) }
li a { display: flex; flex-direction: column; height: 100%; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; text-decoration: none; color: inherit }
li a:hover { border-color: var(--accent) }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.picture { display: grid; place-items: center; aspect-ratio: 4 / 3; background: var(--soft); opacity: .9 }
.picture img { width: 100%; height: 100%; object-fit: contain }
.name { padding: 8px 12px 0; overflow-wrap: anywhere } .facts { padding: 0 12px 8px; font-size: .85rem; opacity: .75 }
nav { display: flex; gap: 24px; margin-top: 24px } nav a { padding: 8px 0 }
`

const digest = createHash('sha256').update(STYLE).digest('base64')

/** The characters of an ordinary origin: any other could end the directive and begin another. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

/** Nothing may run, be framed or be sent; pictures come from the public address alone. */
export function pageHeaders(publicUrl: string): Record<string, string> {
  const { origin } = new URL(publicUrl)
  const pictures = ORIGIN.test(origin) ? `'self' ${origin}` : `'self'`
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': SHARE_PAGE_LANGUAGE,
    'Content-Security-Policy': `default-src 'none'; img-src ${pictures}; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

export interface PageView {
  folder: string
  service: string
  page: SharedPage
  /** Not the first page. */
  further: boolean
}

export function sharePage({ folder, service, page, further }: PageView): string {
  const heading = WORDS.heading(folder)
  const { files, more } = page
  const last = files.at(-1)
  const next =
    more && last ? link(`?${AFTER_PARAMETER}=${encodeURIComponent(last.name)}`, WORDS.more, 'next') : ''
  const start = further ? link('?', WORDS.start, 'first') : ''
  const nothing = `<p>${escaped(further ? WORDS.nothingMore : WORDS.empty)}</p>`
  return `<!doctype html>
<html lang="${SHARE_PAGE_LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(heading)} – ${escaped(service)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(heading)}</h1>
<p>${escaped(WORDS.note)} ${escaped(service)}</p>
${files.length === 0 ? nothing : `<ul>\n${files.map(card).join('\n')}\n</ul>`}
</main>
<nav>${next}${start}</nav>
</body>
</html>
`
}

const link = (address: string, text: string, relation: string) =>
  `<a href="${escaped(address)}" rel="${relation}">${escaped(text)}</a>`

function card(file: PagedFile): string {
  const kind = KIND_WORDS[file.art]
  const picture = file.preview
    ? `<img src="${escaped(file.preview)}" alt="" loading="lazy" decoding="async">`
    : escaped(kind)
  const length = file.laenge === null ? [] : [`${WORDS.length} ${clock(file.laenge)}`]
  const facts = [kind, formatBytes(file.size), ...length].join(' · ')
  return `<li><a href="${escaped(file.url)}"><span class="picture">${picture}</span><span class="name">${escaped(file.name)}</span><span class="facts">${escaped(facts)}</span></a></li>`
}

/** `1:02:03`, `0:07`; never zero, for there is something to hear. */
function clock(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`
}

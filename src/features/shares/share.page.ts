/** The page of a shared folder: plain HTML without scripts; only previews are loaded. */

import {
  KIND_WORDS,
  SHARE_PAGE_LANGUAGE,
  SHARE_PAGE_WORDS as WORDS,
} from '../../contract/files/share-page.ts'
import { nameOf, splitPath } from '../../contract/paths/paths.ts'
import { formatBytes } from '../../contract/values/bytes.ts'
import { formatLength } from '../../contract/values/length.ts'
import { escapeHtml } from '../../http/answers/html.ts'
import { folderSign, kindSign, pageSign } from './share.page-icons.ts'
import { STYLE, STYLE_DIGEST } from './share.page-style.ts'
import type { PagedFile, SharedPage } from './shared-files.ts'

/** Query parameter: the name of the file after which the page begins. */
export const AFTER_PARAMETER = 'nach'

/** Any other character could end the policy's directive and begin another one. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

/** No scripts, no forms, no frames. Pictures come from the public address, the icon from the page itself. */
export function pageHeaders(
  publicUrl: string,
  language: string = SHARE_PAGE_LANGUAGE,
): Record<string, string> {
  const { origin } = new URL(publicUrl)
  const pictures = ORIGIN.test(origin) ? `'self' ${origin}` : `'self'`
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
    'Content-Security-Policy': `default-src 'none'; img-src ${pictures} data:; style-src 'sha256-${STYLE_DIGEST}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

interface PageView {
  folder: string
  service: string
  page: SharedPage
  /** True on every page but the first. */
  further: boolean
}

export function sharePage({ folder, service, page, further }: PageView): string {
  const heading = WORDS.heading(folder)
  const groups = groupsOf(page.files)
  const isWhole = !further && !page.more && page.files.length > 0
  const note = `${WORDS.note} ${service}${isWhole ? ` · ${figuresOf(page.files)}` : ''}`
  const files = groups.map((group, at) => section(group, at, groups.length > 1)).join('\n')
  return frame({
    title: `${heading} – ${service}`,
    header: `<h1>${escapeHtml(heading)}</h1>\n<p>${escapeHtml(note)}</p>`,
    main: `${page.files.length === 0 ? emptyNote(further ? WORDS.nothingMore : WORDS.empty) : ''}${contents(groups)}${files}`,
    after: further || page.more ? pages({ page, further }) : '',
  })
}

export interface Message {
  sentence: string
  service: string
  language?: string
  /** Where the reader may go on. */
  link?: { address: string; text: string }
}

/** A page with one sentence, for a person in a browser. */
export function messagePage({ sentence, service, language, link: onward }: Message): string {
  return frame({
    ...(language !== undefined && { language }),
    title: service,
    header: `<h1>${escapeHtml(service)}</h1>`,
    main: emptyNote(sentence),
    after: onward ? `<nav class="pages onward">${link(onward.address, onward.text)}</nav>` : '',
  })
}

const emptyNote = (sentence: string) => `<p class="nothing">${escapeHtml(sentence)}</p>`

interface Framed {
  language?: string
  /** Text; everything else is HTML. */
  title: string
  header: string
  main: string
  after: string
  style?: string
  script?: string
}

/** The page's policy must allow style and script. */
export function frame({
  language = SHARE_PAGE_LANGUAGE,
  style = STYLE,
  script = '',
  ...page
}: Framed): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" type="image/svg+xml" href="${escapeHtml(pageSign)}">
<style>${style}</style>
</head>
<body>
<header><div>
${page.header}
</div></header>
<main>
${page.main}
</main>
${page.after}${script && `<script>${script}</script>`}
</body>
</html>
`
}

interface Group {
  /** Path of the subfolder; empty for the shared folder itself. */
  folder: string
  files: PagedFile[]
}

/** Groups files by folder: the shared folder itself first, then each subfolder. */
function groupsOf(files: readonly PagedFile[]): Group[] {
  const groups = new Map<string, Group>()
  for (const file of files) {
    const folder = splitPath(file.name).folder
    const group = groups.get(folder) ?? { folder, files: [] }
    group.files.push(file)
    groups.set(folder, group)
  }
  return [...groups.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

const figuresOf = (files: readonly PagedFile[]) =>
  `${WORDS.files(files.length)}, ${formatBytes(files.reduce((sum, { size }) => sum + size, 0))}`

/** Links to the section of each subfolder; empty if there is only one group. */
function contents(groups: readonly Group[]): string {
  if (groups.length < 2) return ''
  const items = groups.flatMap(({ folder }, at) =>
    folder === '' ? [] : [`<li><a href="#o${at}">${folderSign()}${escapeHtml(folder)}</a></li>`],
  )
  return `<nav aria-label="${WORDS.folders}"><ul class="folders">${items.join('')}</ul></nav>\n`
}

function section({ folder, files }: Group, at: number, hasOthers: boolean): string {
  const title = folder === '' ? WORDS.inFolderItself : folder
  const shown = hasOthers || folder !== ''
  const heading = `<h2 id="o${at}">${folderSign()}<span>${escapeHtml(title)}</span> <small>${WORDS.files(files.length)}</small></h2>\n`
  return `<section>\n${shown ? heading : ''}<ul class="files">\n${files.map(card).join('\n')}\n</ul>\n</section>`
}

function card(file: PagedFile): string {
  const kind = KIND_WORDS[file.art]
  const picture = file.preview
    ? `<img src="${escapeHtml(file.preview)}" alt="" loading="lazy" decoding="async">`
    : kindSign(file.art)
  const length =
    file.laenge === null ? '' : `<span class="badge">${WORDS.length} ${formatLength(file.laenge)}</span>`
  const name = nameOf(file.name)
  const facts = [kind, formatBytes(file.size)].join(' · ')
  return `<li><a href="${escapeHtml(file.url)}"><span class="picture">${picture}${length}</span><span class="name">${escapeHtml(name)}</span><span class="facts">${escapeHtml(facts)}</span></a></li>`
}

function pages({ page: { files, more }, further }: Pick<PageView, 'page' | 'further'>): string {
  const last = files.at(-1)
  const next =
    more && last ? link(`?${AFTER_PARAMETER}=${encodeURIComponent(last.name)}`, WORDS.more, 'next') : ''
  const start = further ? link('?', WORDS.start, 'first') : ''
  return `<nav class="pages" aria-label="${WORDS.pages}">${next}${start}</nav>`
}

const link = (address: string, text: string, relation?: string) =>
  `<a href="${escapeHtml(address)}"${relation ? ` rel="${relation}"` : ''}>${escapeHtml(text)}</a>`

/**
 * The HTML frame of the pages for visitors, the headers of share and error pages with their content security
 * policy, and a page with a single sentence.
 */

import { LOCALES } from '../../contract/words/both-languages.ts'
import { selfAndOrigin } from '../../http/answers/content-policy.ts'
import { escapeHtml } from '../../http/answers/html.ts'
import type { PageLanguage } from '../../http/answers/language.ts'
import { pageIconUrl } from './share.page-icons.ts'
import { SHARE_PAGE_STYLE, STYLE_CSP_SOURCE } from './share.page-style.ts'
import { VIEWER_SCRIPT_CSP_SOURCE } from './share.page-viewer.ts'

/**
 * The headers of share and error pages. Their content security policy allows no forms and no frames, and only
 * the common style and the viewer's script. Images, video and audio may come from the page's own host and
 * from the public address. The page's icon is a `data:` URL.
 */
export function pageHeaders(publicUrl: string, language: string = 'de'): Record<string, string> {
  const { origin } = new URL(publicUrl)
  const fileSources = selfAndOrigin(origin)
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
    'Content-Security-Policy': `default-src 'none'; img-src ${fileSources} data:; style-src ${STYLE_CSP_SOURCE}; media-src ${fileSources}; script-src ${VIEWER_SCRIPT_CSP_SOURCE}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

interface PageParts {
  language?: string
  /** Plain text; all other fields except `language` are HTML, CSS or JavaScript. */
  title: string
  /** Further elements of the head. */
  head?: string
  header: string
  main: string
  afterMain: string
  style?: string
  script?: string
}

/**
 * Renders the HTML of a page. The content security policy that is sent with it must allow its style and
 * script.
 */
export function renderPageFrame({
  language = 'de',
  head = '',
  style = SHARE_PAGE_STYLE,
  script = '',
  ...page
}: PageParts): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(page.title)}</title>
${head}<link rel="icon" type="image/svg+xml" href="${escapeHtml(pageIconUrl)}">
<style>${style}</style>
</head>
<body>
<header><div>
${page.header}
</div></header>
<main>
${page.main}
</main>
${page.afterMain}${script && `<script>${script}</script>`}
</body>
</html>
`
}

export interface PageMessage {
  sentence: string
  service: string
  language?: PageLanguage
  /** A link with which the reader can continue. */
  link?: { address: string; text: string }
}

/** A page with one sentence, for a person in a browser. */
export function messagePage({ sentence, service, language, link }: PageMessage): string {
  return renderPageFrame({
    ...(language !== undefined && { language }),
    title: service,
    header: `<h1>${escapeHtml(service)}</h1>`,
    main: messageHtml(sentence),
    afterMain: link ? `<nav class="pages onward">${linkHtml(link.address, link.text)}</nav>` : '',
  })
}

/** A time as HTML. The script of the page converts it to the visitor's time zone. */
export function timeHtml(timestamp: number, language: PageLanguage): string {
  const date = new Date(timestamp)
  const locale = LOCALES[language]
  const text = date.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' })
  return `<time datetime="${date.toISOString()}" data-locale="${locale}">${escapeHtml(text)}</time>`
}

export const messageHtml = (message: string) => `<p class="nothing">${escapeHtml(message)}</p>`

export const linkHtml = (address: string, text: string, attributes = '') =>
  `<a href="${escapeHtml(address)}"${attributes}>${escapeHtml(text)}</a>`

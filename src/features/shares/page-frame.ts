/** What pages for visitors have in common: head, colours, policy; and a page with a single sentence. */
import { escapeHtml } from '../../http/answers/html.ts'
import type { PageLanguage } from '../../http/answers/language.ts'
import { pageIcon } from './share.page-icons.ts'
import { STYLE, STYLE_DIGEST } from './share.page-style.ts'
import { VIEWER_SCRIPT_DIGEST } from './share.page-viewer.ts'

/** An origin with any other character could end the directive of the policy and begin another one. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

/**
 * The policy allows no forms and no frames, and only the common style and the script of the viewer. Pictures,
 * films and sounds come from the public address, the icon from the page itself.
 */
export function pageHeaders(publicUrl: string, language: string = 'de'): Record<string, string> {
  const { origin } = new URL(publicUrl)
  const files = ORIGIN.test(origin) ? `'self' ${origin}` : `'self'`
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
    'Content-Security-Policy': `default-src 'none'; img-src ${files} data:; style-src 'sha256-${STYLE_DIGEST}'; media-src ${files}; script-src 'sha256-${VIEWER_SCRIPT_DIGEST}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

interface Framed {
  language?: string
  /** Text; everything else is HTML. */
  title: string
  /** Further elements of the head. */
  head?: string
  header: string
  main: string
  after: string
  style?: string
  script?: string
}

/** The policy of the page must allow its style and script. */
export function frame({ language = 'de', head = '', style = STYLE, script = '', ...page }: Framed): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(page.title)}</title>
${head}<link rel="icon" type="image/svg+xml" href="${escapeHtml(pageIcon)}">
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

export interface Message {
  sentence: string
  service: string
  language?: PageLanguage
  /** A link with which the reader can continue. */
  link?: { address: string; text: string }
}

/** A page with one sentence, for a person in a browser. */
export function messagePage({ sentence, service, language, link: onward }: Message): string {
  return frame({
    ...(language !== undefined && { language }),
    title: service,
    header: `<h1>${escapeHtml(service)}</h1>`,
    main: emptyNote(sentence),
    after: onward ? `<nav class="pages onward">${linkTo(onward.address, onward.text)}</nav>` : '',
  })
}

export const emptyNote = (sentence: string) => `<p class="nothing">${escapeHtml(sentence)}</p>`

export const linkTo = (address: string, text: string, attributes = '') =>
  `<a href="${escapeHtml(address)}"${attributes}>${escapeHtml(text)}</a>`

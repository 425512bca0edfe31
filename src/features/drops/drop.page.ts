/**
 * The page of a drop link, in German or English: visitors choose files, drop or paste them or take a photo,
 * and see the result of each file.
 */

import { DROP_PAGE_CODES, DROP_PAGE_TEXTS } from '../../contract/files/drop-page.ts'
import type { Kind } from '../../contract/paths/kinds.ts'
import { formatBytes } from '../../contract/values/bytes.ts'
import { LOCALES } from '../../contract/words/both-languages.ts'
import { ENGLISH_SENTENCES } from '../../contract/words/english.ts'
import { cspHashSource } from '../../http/answers/content-policy.ts'
import { escapeHtml } from '../../http/answers/html.ts'
import type { PageLanguage } from '../../http/answers/language.ts'
import { renderPageFrame, timeHtml } from '../shares/page-frame.ts'
import { SHARE_PAGE_STYLE } from '../shares/share.page-style.ts'
import { DROP_SCRIPT } from './drop.page-script.ts'

const DROP_STYLE = `${SHARE_PAGE_STYLE}
header > div, main { max-width: 720px } .note { white-space: pre-line; overflow-wrap: anywhere; margin: 8px 0 16px } .facts-line { margin: 0 0 16px; padding: 0; color: var(--quiet); font-size: 14px }
.zone { display: grid; gap: 12px; justify-items: center; padding: 40px 16px; border: 2px dashed var(--line); border-radius: 16px; background: var(--body); text-align: center }
.zone.over { border-color: var(--accent); background: var(--hover) }
.zone p { margin: 0; color: var(--quiet) }
.button { position: relative; display: inline-flex; align-items: center; min-height: 44px; padding: 8px 20px; border-radius: 8px; color: #fff; background: light-dark(#1c5fb0, #2b6cbb); cursor: pointer }
.button.second { color: var(--text); background: var(--hover) }
.button input { position: absolute; inset: 0; opacity: 0; width: 100%; height: 100%; cursor: pointer; font-size: 0 }
.button:focus-within { outline: 2px solid var(--accent); outline-offset: 2px }
.camera { display: none } @media (pointer: coarse) { .camera { display: inline-flex } .drag { display: none } }
#status { min-height: 24px; margin: 16px 0; font-weight: 600 } #list { display: none } .has-files #list { display: block }
#files li { display: grid; grid-template-columns: 1fr auto; gap: 4px 12px; align-items: center; padding: 12px 0; border-top: 1px solid var(--line) }
#files li > * { min-width: 0; overflow-wrap: anywhere }
[data-part=state] { font-size: 14px; color: var(--quiet); text-align: right } [data-part=bar] { grid-column: 1 / -1; width: 100%; height: 6px; accent-color: var(--accent) }
[data-part=again] { grid-column: 1 / -1; justify-self: start; min-height: 44px; padding: 8px 16px; border: 1px solid var(--line); border-radius: 8px; font: inherit; font-size: 14px; color: inherit; background: var(--body); cursor: pointer }
li[data-state=done] [data-part=state] { color: light-dark(#1a6b34, #6fcf8e) } li[data-state=refused] [data-part=state], li[data-state=failed] [data-part=state] { grid-column: 1 / -1; text-align: left; color: light-dark(#a3231f, #ff9d94) }
[hidden] { display: none !important }
`

/**
 * The page has one style and at most one script, both allowed by their hashes; the script may send requests
 * only to this service. Other pages may not embed this page in a frame.
 */
export const DROP_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${cspHashSource(DROP_STYLE)}; script-src ${cspHashSource(DROP_SCRIPT)}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept, Accept-Language',
}

interface DropView {
  serviceName: string
  language: PageLanguage
  visitorNote: string | null
  /** The allowed kinds; null if all are allowed. */
  kinds: readonly Kind[] | null
  maxBytes: number
  validUntil: number | null
  isFull: boolean
}

export function dropPage(view: DropView): string {
  const { serviceName, language, visitorNote, isFull } = view
  const texts = DROP_PAGE_TEXTS[language]
  return renderPageFrame({
    language,
    style: DROP_STYLE,
    script: isFull ? '' : DROP_SCRIPT,
    title: `${texts.heading} – ${serviceName}`,
    header: `<h1>${escapeHtml(texts.heading)}</h1>\n<p>${escapeHtml(texts.recipient(serviceName))}</p>`,
    main: `${visitorNote === null ? '' : `<p class="note">${escapeHtml(visitorNote)}</p>\n`}${isFull ? `<p class="nothing">${escapeHtml(texts.noMoreAccepted)}</p>` : formHtml(view)}`,
    afterMain: '',
  })
}

/**
 * The allowed kinds, the maximum size of a file and the expiry time of the link, as HTML. The script of the
 * page converts the time to the time zone of the visitor.
 */
function limitsHtml({ language, kinds, maxBytes, validUntil }: DropView): string {
  const texts = DROP_PAGE_TEXTS[language]
  const kindList =
    kinds && new Intl.ListFormat(LOCALES[language]).format(kinds.map(kind => texts.kindNames[kind]))
  const limitTexts = [kindList && texts.kinds(kindList), texts.maxSize(formatBytes(maxBytes, language))]
  const sentences = limitTexts.filter(limitText => limitText !== null).map(escapeHtml)
  if (validUntil !== null) sentences.push(texts.deadline(timeHtml(validUntil, language)))
  return sentences.join(' ')
}

function formHtml(view: DropView): string {
  const { language, kinds, maxBytes } = view
  const texts = DROP_PAGE_TEXTS[language]
  const errorSentences =
    language === 'en' ? Object.fromEntries(DROP_PAGE_CODES.map(code => [code, ENGLISH_SENTENCES[code]])) : {}
  const dataValues = {
    words: JSON.stringify(texts.script),
    sentences: JSON.stringify(errorSentences),
    largest: String(maxBytes),
    'largest-text': formatBytes(maxBytes, language),
  }
  const attributes = Object.entries(dataValues).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
  const cameraButton =
    kinds === null || kinds.includes('bilder')
      ? `<label class="button second camera">${escapeHtml(texts.takePhoto)}<input type="file" accept="image/*" capture="environment"></label>`
      : ''
  return `<p class="facts-line">${limitsHtml(view)}</p>
<noscript><p>${escapeHtml(texts.noScript)}</p></noscript>
<div id="drop" ${attributes.join(' ')}>
<div class="zone" id="zone">
<p class="drag">${escapeHtml(texts.dropHere)}</p>
<label class="button">${escapeHtml(texts.chooseFiles)}<input type="file" multiple${acceptAttribute(kinds)}></label>
${cameraButton}
</div>
<p id="status" role="status"></p>
<section id="list" aria-label="${escapeHtml(texts.filesHandedIn)}"><ul id="files"></ul></section>
<template id="file"><li><span data-part="name" tabindex="-1"></span><span data-part="state"></span><progress data-part="bar" max="100" aria-hidden="true"></progress><button type="button" data-part="again" hidden>${escapeHtml(texts.script.again)}</button></li></template>
</div>`
}

const WILDCARD_BY_KIND: Partial<Record<Kind, string>> = {
  bilder: 'image/*',
  video: 'video/*',
  audio: 'audio/*',
}

/**
 * The `accept` attribute, which makes the file picker show matching files first. It is left out unless every
 * allowed kind has a MIME wildcard.
 */
function acceptAttribute(kinds: readonly Kind[] | null): string {
  const types = kinds?.map(kind => WILDCARD_BY_KIND[kind])
  return types?.every(type => type !== undefined) ? ` accept="${types.join(',')}"` : ''
}

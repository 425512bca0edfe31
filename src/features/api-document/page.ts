/**
 * Renders the API document as an HTML page, in German or English, with a form to call each operation. The
 * page loads no other resources.
 */

import { ownValue } from '../../contract/values/own-value.ts'
import { API_PAGE_TEXTS, type ApiPageLanguage } from '../../contract/words/api-document.ts'
import { translateToEnglish } from '../../contract/words/api-document-english.ts'
import { cspHashSource } from '../../http/answers/content-policy.ts'
import { escapeHtml } from '../../http/answers/html.ts'
import type { ApiDocument, JsonSchema, Operation } from './openapi.ts'
import { schemaText } from './schema-text.ts'
import { tryForm } from './try-form.ts'
import { TRY_SCRIPT } from './try-script.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: light-dark(#1c5fb0, #7db4f5) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 24px 16px 64px }
h2 { margin: 40px 0 8px } a { color: var(--accent) } nav a { margin-right: 16px; display: inline-block }
details { border: 1px solid var(--line); border-radius: 8px; margin: 8px 0 }
summary { padding: 8px 16px; cursor: pointer; overflow-wrap: anywhere }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
summary b { font-family: ui-monospace, monospace; color: var(--accent) }
summary span { display: block; opacity: .8 }
dl { margin: 0; padding: 0 16px 16px } dt { font-weight: 600; margin-top: 8px } dd { margin: 0 }
code, pre { font: 14px/1.5 ui-monospace, monospace } pre { background: var(--soft); border-radius: 8px; padding: 8px 16px; margin: 4px 0; overflow-x: auto }
form { border-top: 1px solid var(--line); padding: 8px 16px 16px; display: grid; gap: 8px }
label { display: grid; gap: 4px } input, textarea, button { font: inherit; padding: 4px 8px; max-width: 40rem }
textarea { font-family: ui-monospace, monospace } button { justify-self: start }
output { font: 14px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow-y: auto }
`

/**
 * The Content-Security-Policy allows only the style sheet and the script of the page, by their hashes. The
 * script may call only this service.
 */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${cspHashSource(STYLE)}; script-src ${cspHashSource(TRY_SCRIPT)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

type Translate = (text: string) => string

interface OperationEntry {
  method: string
  path: string
  operation: Operation
}

export function apiPage(document: ApiDocument, documentRoute: string, language: ApiPageLanguage): string {
  const translate = language === 'en' ? translateToEnglish : (text: string) => text
  const texts = API_PAGE_TEXTS[language]
  const otherLanguage = language === 'en' ? 'de' : 'en'
  const entries = Object.entries(document.paths).flatMap(([path, operationsByMethod]) =>
    Object.entries(operationsByMethod).map(
      ([method, operation]): OperationEntry => ({ method, path, operation }),
    ),
  )
  const sections = document.tags.map(({ name }) => ({
    name: translate(name),
    anchor: name.toLowerCase().replace(/\W+/g, '-'),
    entries: entries.filter(({ operation }) => operation.tags[0] === name),
  }))
  const { title, description } = document.info
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – API</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)} – API</h1>
<p>${escapeHtml(translate(description))}</p>
<p><a href="${escapeHtml(documentRoute)}">${escapeHtml(texts.api.machineReadable)}</a> · <a href="?sprache=${otherLanguage}" lang="${otherLanguage}">${escapeHtml(texts.otherLanguage)}</a></p>
<p><label>${escapeHtml(texts.token)} <input id="token" autocomplete="off" spellcheck="false" placeholder="media_…"></label></p>
<nav>${sections.map(({ anchor, name }) => `<a href="#${anchor}">${escapeHtml(name)}</a>`).join('\n')}</nav>
${sections.map(({ anchor, name, entries }) => `<h2 id="${anchor}">${escapeHtml(name)}</h2>\n${entries.map(entry => operationHtml(entry, language, translate)).join('\n')}`).join('\n')}
<script>${TRY_SCRIPT}</script>
</body>
</html>
`
}

function operationHtml(entry: OperationEntry, language: ApiPageLanguage, translate: Translate): string {
  const { method, path, operation } = entry
  const texts = API_PAGE_TEXTS[language]
  const { parameters, requestBody, responses } = operation
  const answer = responses[200]
  const rows = [
    rowHtml(texts.api.access, escapeHtml(texts.access[operation['x-access']])),
    parameters.length > 0 &&
      rowHtml(
        texts.api.parameters,
        parameters.map(parameter => parameterHtml(parameter, language, translate)).join(''),
      ),
    requestBody && rowHtml(texts.api.body, contentHtml(requestBody.content, translate)),
    answer?.content && rowHtml(texts.api.answer, contentHtml(answer.content, translate)),
    rowHtml(texts.api.error, escapeHtml(texts.api.errorText)),
  ]
  return `<details>
<summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code><span>${escapeHtml(translate(operation.summary))}</span></summary>
<dl>${rows.filter(row => row).join('')}</dl>
${tryForm(entry, language)}
</details>`
}

const rowHtml = (term: string, html: string) => `<dt>${escapeHtml(term)}</dt><dd>${html}</dd>`

function parameterHtml(
  { name, in: location, required, schema, description }: Operation['parameters'][number],
  language: ApiPageLanguage,
  translate: Translate,
) {
  const { api } = API_PAGE_TEXTS[language]
  const locationTexts: Readonly<Record<string, string>> = api.parameterLocations
  const details = [
    ownValue(locationTexts, location) ?? location,
    required ? api.required : api.optional,
    schemaText(schema, translate),
    translate(description ?? ''),
  ]
  return `<div><code>${escapeHtml(name)}</code> ${escapeHtml(details.filter(detail => detail !== '').join(' · '))}</div>`
}

const contentHtml = (content: Record<string, { schema: JsonSchema }>, translate: Translate) =>
  Object.entries(content)
    .map(
      ([type, { schema }]) =>
        `<code>${escapeHtml(type)}</code><pre>${escapeHtml(schemaText(schema, translate))}</pre>`,
    )
    .join('')

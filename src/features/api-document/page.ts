/** The API document as a page: plain HTML, no script, nothing loaded from elsewhere. */
import { ACCESS_WORDS, API_WORDS } from '../../contract/api-document.ts'
import { escaped } from '../../http/html.ts'
import { sha256 } from '../../sha256.ts'
import type { ApiDocument, JsonSchema, Operation } from './openapi.ts'
import { schemaText } from './schema-text.ts'

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
`

const digest = sha256(STYLE, 'base64')

/** Nothing may run and nothing may be fetched; the only style is allowed by its hash. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

interface Entry {
  method: string
  path: string
  operation: Operation
}

export function apiPage(document: ApiDocument, documentRoute: string): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ method, path, operation })),
  )
  const sections = document.tags.map(({ name }) => ({
    name,
    anchor: name.toLowerCase().replace(/\W+/g, '-'),
    entries: entries.filter(({ operation }) => operation.tags[0] === name),
  }))
  const { title, description } = document.info
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – API</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)} – API</h1>
<p>${escaped(description)}</p>
<p><a href="${escaped(documentRoute)}">${escaped(API_WORDS.machine)}</a></p>
<nav>${sections.map(({ anchor, name }) => `<a href="#${anchor}">${escaped(name)}</a>`).join('\n')}</nav>
${sections.map(({ anchor, name, entries }) => `<h2 id="${anchor}">${escaped(name)}</h2>\n${entries.map(operationHtml).join('\n')}`).join('\n')}
</body>
</html>
`
}

function operationHtml({ method, path, operation }: Entry): string {
  const { parameters, requestBody, responses } = operation
  const answer = responses[200]
  const rows = [
    row(API_WORDS.access, escaped(ACCESS_WORDS[operation['x-access']])),
    parameters.length > 0 && row(API_WORDS.parameters, parameters.map(parameterHtml).join('')),
    requestBody && row(API_WORDS.body, contentHtml(requestBody.content)),
    answer?.content && row(API_WORDS.answer, contentHtml(answer.content)),
    row(API_WORDS.error, escaped(API_WORDS.errorText)),
  ]
  return `<details>
<summary><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code><span>${escaped(operation.summary)}</span></summary>
<dl>${rows.filter(each => each).join('')}</dl>
</details>`
}

const row = (term: string, html: string) => `<dt>${escaped(term)}</dt><dd>${html}</dd>`

function parameterHtml({ name, in: place, required, schema, description }: Operation['parameters'][number]) {
  const words = [
    API_WORDS.where[place] ?? place,
    required ? API_WORDS.required : API_WORDS.optional,
    schemaText(schema),
    description ?? '',
  ]
  return `<div><code>${escaped(name)}</code> ${escaped(words.filter(word => word !== '').join(' · '))}</div>`
}

const contentHtml = (content: Record<string, { schema: JsonSchema }>) =>
  Object.entries(content)
    .map(([type, { schema }]) => `<code>${escaped(type)}</code><pre>${escaped(schemaText(schema))}</pre>`)
    .join('')

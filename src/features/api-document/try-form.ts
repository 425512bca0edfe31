/**
 * Renders the form with which a reader of the API page calls an operation. The script in `try-script.ts`
 * sends the form.
 */
import { API_PAGE_TEXTS, type ApiPageLanguage } from '../../contract/words/api-document.ts'
import { escapeHtml } from '../../http/answers/html.ts'
import type { JsonSchema, Operation } from './openapi.ts'

const JSON_TYPE = 'application/json'
/**
 * Media types of a request body for which the form shows one input per field; the preferred type comes first.
 * If the operation accepts JSON, the form shows a text area instead. If it accepts neither JSON nor one of
 * these types, the form shows a file input.
 */
const FORM_TYPES = ['multipart/form-data', 'application/x-www-form-urlencoded'] as const

export function tryForm(
  { method, path, operation }: { method: string; path: string; operation: Operation },
  language: ApiPageLanguage,
): string {
  const texts = API_PAGE_TEXTS[language]
  const needsToken = operation['x-access'] === 'token' || operation['x-access'] === 'key'
  const inputs = operation.parameters.map(({ name, in: location, required }) =>
    inputHtml(name, `data-in="${escapeHtml(location)}"${required ? ' required' : ''}`),
  )
  return `<form data-method="${method.toUpperCase()}" data-path="${escapeHtml(path)}"${needsToken ? ' data-token' : ''}>
<strong>${escapeHtml(texts.tryIt)}</strong>
${[...inputs, bodyInputsHtml(operation, texts.body)].join('\n')}
<button>${escapeHtml(texts.send)}</button>
<output data-bytes="${escapeHtml(texts.bytes)}"></output>
</form>`
}

const inputHtml = (name: string, attributes: string) =>
  `<label>${escapeHtml(name)} <input name="${escapeHtml(name)}" ${attributes}></label>`

function bodyInputsHtml({ requestBody }: Operation, label: string): string {
  const content = requestBody?.content
  if (!content) return ''
  const jsonContent = content[JSON_TYPE]
  if (jsonContent) {
    const example = escapeHtml(JSON.stringify(exampleOf(jsonContent.schema), null, 2))
    return `<label>${escapeHtml(label)} <textarea data-in="json" rows="4">${example}</textarea></label>`
  }
  const type = FORM_TYPES.find(mediaType => content[mediaType])
  if (!type) return `<label>${escapeHtml(label)} <input type="file" data-in="body"></label>`
  const fields = Object.entries((content[type]!.schema.properties ?? {}) as Record<string, JsonSchema>)
  const bodyEncoding = type === FORM_TYPES[0] ? 'multipart' : 'urlencoded'
  return fields
    .map(([name, schema]) =>
      inputHtml(name, `data-in="${bodyEncoding}"${isFileSchema(schema) ? ' type="file"' : ''}`),
    )
    .join('\n')
}

const isFileSchema = (schema: JsonSchema): boolean =>
  schema.format === 'binary' || (schema.type === 'array' && isFileSchema((schema.items ?? {}) as JsonSchema))

/** An example of a body: its required fields with placeholder values. */
function exampleOf(schema: JsonSchema): unknown {
  const { type, properties, required, enum: values } = schema
  if (Array.isArray(values)) return values[0]
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 0
  if (type !== 'object') return ''
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>)
  const requiredNames = Array.isArray(required) ? required : []
  return Object.fromEntries(
    fields.filter(([name]) => requiredNames.includes(name)).map(([name, field]) => [name, exampleOf(field)]),
  )
}

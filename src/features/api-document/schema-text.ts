/**
 * Formats a JSON Schema like a TypeScript type, such as `string | null`. An object has one field per line,
 * with the description of the field as a comment.
 */
import type { JsonSchema } from './openapi.ts'

const INDENT = '  '

type Translate = (text: string) => string

/** `translate` translates the descriptions of fields. */
export function schemaText(schema: JsonSchema, translate: Translate = text => text, indent = ''): string {
  const { const: constant, enum: enumValues, anyOf, oneOf, $ref, type } = schema
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(enumValues)) return enumValues.map(value => JSON.stringify(value)).join(' | ')
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (choices) return [...new Set(choices.map(choice => schemaText(choice, translate, indent)))].join(' | ')
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'array') return arrayText(schema, translate, indent)
  if (type === 'object') return objectText(schema, translate, indent)
  if (schema.format === 'binary') return 'binary'
  return typeof type === 'string' ? type : 'any'
}

function arrayText({ items }: JsonSchema, translate: Translate, indent: string): string {
  const itemText = schemaText((items ?? {}) as JsonSchema, translate, indent)
  return itemText.includes(' | ') ? `(${itemText})[]` : `${itemText}[]`
}

function objectText(
  { properties, required, additionalProperties }: JsonSchema,
  translate: Translate,
  indent: string,
): string {
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>)
  if (fields.length === 0) {
    const valueSchema = typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : {}
    return `{ [name]: ${schemaText(valueSchema, translate, indent)} }`
  }
  const requiredNames = Array.isArray(required) ? required : []
  const innerIndent = indent + INDENT
  const lines = fields.map(([name, field]) => {
    const comment = typeof field.description === 'string' ? `  // ${translate(field.description)}` : ''
    return `${innerIndent}${name}${requiredNames.includes(name) ? '' : '?'}: ${schemaText(field, translate, innerIndent)}${comment}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

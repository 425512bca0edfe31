/** From zod to the JSON Schema of the API document. */
import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

export interface Schemas {
  /** `name` is used where the schema refers to itself and so needs a place of its own. */
  of(schema: z.ZodType, name: string): JsonSchema
  readonly named: Readonly<Record<string, JsonSchema>>
}

export function createSchemas(): Schemas {
  const named: Record<string, JsonSchema> = {}
  return {
    named,
    of(schema, name) {
      const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      const plain = withoutNoise(made) as JsonSchema
      if (!JSON.stringify(plain).includes('"$ref"')) return plain
      // References inside are relative to the schema itself; in the document it lies elsewhere.
      const place = `#/components/schemas/${name}`
      named[name] = moved(plain, place) as JsonSchema
      return { $ref: place }
    },
  }
}

/** „Any integer that JavaScript can count“ says nothing to a reader. */
const NOISE = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])

function withoutNoise(value: unknown): unknown {
  return mapped(value, ([key, inner]) => (NOISE.has(inner) ? [] : [[key, withoutNoise(inner)]]))
}

function moved(value: unknown, place: string): unknown {
  return mapped(value, ([key, inner]) => [
    [key, key === '$ref' ? `${place}${String(inner).slice(1)}` : moved(inner, place)],
  ])
}

function mapped(value: unknown, change: (entry: [string, unknown]) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map(each => mapped(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(change))
}

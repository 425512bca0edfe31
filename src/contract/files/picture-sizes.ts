/** The setting `BILDGROESSEN`: the sizes in which pictures are served at `/b/<size>/<path>`. */
import { z } from 'zod'
import { PICTURE_SIZES_MAX } from '../values/limits.ts'
import { FITS, SIZE_EDGE_MAX, SIZE_FORMATS } from './picture-geometry.ts'

/** A name is part of an address, so it may contain only characters that need no encoding, in lower case. */
const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/

const edgeCode = `size-edge:${SIZE_EDGE_MAX}`
const edge = z.int(edgeCode).min(1, edgeCode).max(SIZE_EDGE_MAX, edgeCode).nullable().default(null)

const pictureSize = z
  .strictObject(
    {
      name: z.string('size-name').regex(NAME, 'size-name'),
      breite: edge,
      hoehe: edge,
      art: z.enum(FITS, 'size-fit').default('einpassen'),
      format: z.enum(SIZE_FORMATS, 'size-format').default('auto'),
    },
    'size-list',
  )
  .refine(({ breite, hoehe }) => breite !== null || hoehe !== null, 'size-without-edge')
  .refine(
    ({ art, breite, hoehe }) => art !== 'fuellen' || (breite !== null && hoehe !== null),
    'size-both-edges',
  )
export type PictureSize = z.output<typeof pictureSize>

const list = z
  .array(pictureSize, 'size-list')
  .max(PICTURE_SIZES_MAX, `size-count:${PICTURE_SIZES_MAX}`)
  .refine(sizes => new Set(sizes.map(({ name }) => name)).size === sizes.length, 'size-names-differ')

/** A list, or the list as JSON text, as an environment variable holds it. Empty: no sizes are served. */
export const pictureSizes = z.unknown().transform((given, context): PictureSize[] => {
  const parsed = list.safeParse(typeof given === 'string' ? json(given) : given)
  if (parsed.success) return parsed.data
  context.addIssue(parsed.error.issues[0]!.message)
  return z.NEVER
})

function json(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    return null
  }
}

export const pictureSizeAnswer = z.object({
  name: z.string(),
  breite: z.int().nullable(),
  hoehe: z.int().nullable(),
  art: z.enum(FITS),
  format: z.enum(SIZE_FORMATS),
})

const square = (name: string, edge: number): PictureSize => ({
  ...{ name, breite: edge, hoehe: edge },
  ...{ art: 'einpassen', format: 'auto' },
})
export const DEFAULT_PICTURE_SIZES: readonly PictureSize[] = [
  square('klein', 320),
  square('mittel', 960),
  square('gross', 1920),
]

/** The setting `BILDGROESSEN`: the sizes in which pictures are served at `/b/<size>/<path>`. */

import { z } from 'zod'
import { PICTURE_SIZES_MAX } from '../values/input-limits.ts'
import { parseJson } from '../values/parse-json.ts'
import { FIT_MODES, SIZE_EDGE_MAX, SIZE_FORMATS } from './picture-geometry.ts'

/**
 * The name of a size is part of an address, so it may contain only characters that need no encoding, in lower
 * case.
 */
const SIZE_NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,31}$/

const edgeMessage = `size-edge:${SIZE_EDGE_MAX}`
const edgeLength = z
  .int(edgeMessage)
  .min(1, edgeMessage)
  .max(SIZE_EDGE_MAX, edgeMessage)
  .nullable()
  .default(null)

const pictureSize = z
  .strictObject(
    {
      name: z.string('size-name').regex(SIZE_NAME_PATTERN, 'size-name'),
      breite: edgeLength,
      hoehe: edgeLength,
      art: z.enum(FIT_MODES, 'size-fit').default('einpassen'),
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

const pictureSizeList = z
  .array(pictureSize, 'size-list')
  .max(PICTURE_SIZES_MAX, `size-count:${PICTURE_SIZES_MAX}`)
  .refine(sizes => new Set(sizes.map(({ name }) => name)).size === sizes.length, 'size-names-differ')

/**
 * Accepts a list of sizes, also as JSON text, as in an environment variable. With an empty list no sizes are
 * served.
 */
export const pictureSizes = z.unknown().transform((input, context): PictureSize[] => {
  const parsed = pictureSizeList.safeParse(typeof input === 'string' ? parseJson(input) : input)
  if (parsed.success) return parsed.data
  context.addIssue(parsed.error.issues[0]!.message)
  return z.NEVER
})

export const pictureSizeAnswer = z.object({
  name: z.string(),
  breite: z.int().nullable(),
  hoehe: z.int().nullable(),
  art: z.enum(FIT_MODES),
  format: z.enum(SIZE_FORMATS),
})

const squareSize = (name: string, edge: number): PictureSize => ({
  name,
  breite: edge,
  hoehe: edge,
  art: 'einpassen',
  format: 'auto',
})
export const DEFAULT_PICTURE_SIZES: readonly PictureSize[] = [
  squareSize('klein', 320),
  squareSize('mittel', 960),
  squareSize('gross', 1920),
]

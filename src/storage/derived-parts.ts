/**
 * The files that are made from an upload and stored beside it, each a WebP: how each is named, made, served.
 * Code that stores, moves, checks or removes derived files iterates over this table.
 *
 * A part has the columns `<part>_size` (null: there is no such file), `<part>_mark` (see `names.ts`) and
 * `<part>_encoder` (the encoder that has tried last; null: none has). A further part is an entry here and a
 * migration that adds these columns to `media` and, without the encoder, to `trash`; on PostgreSQL it also
 * makes the trigger `media_moment_1` anew, with `<part>_size` and `<part>_mark`.
 */
import { PREVIEW_EDGE } from '../contract/files/picture-geometry.ts'
import { PREVIEWS_ROUTE } from '../contract/paths/addresses.ts'
import { essence, type Kind } from '../contract/paths/kinds.ts'

export type DerivedPart = 'variant' | 'preview'

interface Derivation {
  /** The part's letter in object names (`~t`) and ETags (`-t`). */
  letter: string
  /** Where its object is while the file is in the library; in the trash it is beside the original. */
  folder: 'files' | 'thumbs'
  /** Whether a file in the trash keeps this part. */
  inTrash: boolean
  /** Which files may have this part; `types` null: every type of these kinds. */
  kinds: readonly Kind[]
  types: readonly string[] | null
  /** Longest edge in pixels and quality of the WebP. Null: as the original, and kept only if smaller. */
  scaled: { edge: number; quality: number } | null
  /**
   * Name of the encoder. A row records which encoder has tried, so that a part that cannot be made is tried
   * only once. Change it after a change in `images/decoder/` that makes more files possible.
   */
  encoder: string
  /** The start of its address; null: it replaces the original where WebP is accepted. */
  route: string | null
}

export const DERIVATIONS: Readonly<Record<DerivedPart, Derivation>> = {
  variant: {
    letter: 'w',
    folder: 'files',
    inTrash: false,
    kinds: ['bilder'],
    types: ['image/png', 'image/jpeg', 'image/jpg', 'image/pjpeg'],
    scaled: null,
    encoder: '1',
    route: null,
  },
  preview: {
    letter: 't',
    folder: 'thumbs',
    inTrash: true,
    kinds: ['bilder', 'video'],
    types: null,
    scaled: { edge: PREVIEW_EDGE, quality: 75 },
    encoder: '1',
    route: PREVIEWS_ROUTE,
  },
}

export const DERIVED_PARTS = Object.keys(DERIVATIONS) as DerivedPart[]

/** The parts with an address of their own. */
export const DERIVED_ROUTES = DERIVED_PARTS.flatMap(part => {
  const { route } = DERIVATIONS[part]
  return route === null ? [] : { part, route }
})

export const sizeColumn = (part: DerivedPart) => `${part}_size` as const
export const markColumn = (part: DerivedPart) => `${part}_mark` as const
export const encoderColumn = (part: DerivedPart) => `${part}_encoder` as const

/** The columns that say which derived files a row has. */
export interface DerivedColumns
  extends Record<`${DerivedPart}_size`, number | null>,
    Record<`${DerivedPart}_mark`, string | null> {}
export const DERIVED_COLUMNS = DERIVED_PARTS.flatMap(part => [sizeColumn(part), markColumn(part)])
export const ENCODER_COLUMNS = DERIVED_PARTS.map(encoderColumn)

/** The columns of a row that has none of these parts. */
export const withoutParts = (parts: readonly DerivedPart[]): Partial<DerivedColumns> =>
  Object.fromEntries(parts.map(part => [sizeColumn(part), null]))

/** Whether a file of this type, if its kind is right, may have this part. */
export function mayHave(part: DerivedPart, mime: string): boolean {
  return DERIVATIONS[part].types?.includes(essence(mime)) ?? true
}

/**
 * The derived parts: WebP files that are made from an uploaded file and stored as objects of their own. The
 * table `DERIVATIONS` says how each of them is named, made and served. Code that stores, moves, checks or
 * removes derived files iterates over this table.
 *
 * A part has the columns `<part>_size` (null: there is no such file), `<part>_mark` (see `names.ts`) and
 * `<part>_encoder` (the encoder that last tried to make the file; null: none has tried).
 *
 * To add a part that is scaled down and has a route of its own:
 * - An entry here, with a letter that neither another part nor `SIZED_PICTURE_LETTER` (`names.ts`) has.
 * - Its route in `contract/paths/addresses.ts`, among `VISITOR_ROUTES`.
 * - A migration, listed in `database/migrate.ts`, that adds these columns to `media` and, without the
 *   encoder, to `trash`. On PostgreSQL it must also create the trigger `media_moment_1` again, with the
 *   columns that it has now and `<part>_size` and `<part>_mark`; the statements are an optional field of
 *   `EngineTraits`.
 * The maintenance round for previews makes the part of existing files. Only `variant` can be unscaled and be
 * sent in place of the original.
 */
import { PREVIEW_EDGE } from '../contract/files/picture-geometry.ts'
import { PREVIEWS_ROUTE } from '../contract/paths/addresses.ts'
import { type Kind, mediaTypeEssence } from '../contract/paths/kinds.ts'

export type DerivedPart = 'variant' | 'preview'

interface Derivation {
  /** The part's letter in object names (`~t`) and ETags (`-t`). */
  letter: string
  /**
   * The folder of the part's object while the file is in the library. In the trash the object is beside the
   * original.
   */
  folder: 'files' | 'thumbs'
  /** Whether a file in the trash keeps this part. */
  isKeptInTrash: boolean
  /**
   * The kinds and media types of files that may have this part; `mediaTypes` null: every type of these kinds.
   */
  kinds: readonly Kind[]
  mediaTypes: readonly string[] | null
  /**
   * Maximum length in pixels of the longer edge, and quality of the WebP from 0 to 100. Null: the part has
   * the dimensions of the original, and is kept only if it has fewer bytes than the original.
   */
  scaling: { edge: number; quality: number } | null
  /**
   * Name of the encoder. A row records which encoder has tried, so that a part that cannot be made is tried
   * only once with each encoder. Change the name when `images/decoder/` becomes able to make this part from
   * more files.
   */
  encoder: string
  /**
   * The route under which the part is served; null: the part is sent instead of the original to clients that
   * accept WebP.
   */
  route: string | null
}

export const DERIVATIONS: Readonly<Record<DerivedPart, Derivation>> = {
  variant: {
    letter: 'w',
    folder: 'files',
    isKeptInTrash: false,
    kinds: ['bilder'],
    mediaTypes: ['image/png', 'image/jpeg', 'image/jpg', 'image/pjpeg'],
    scaling: null,
    encoder: '1',
    route: null,
  },
  preview: {
    letter: 't',
    folder: 'thumbs',
    isKeptInTrash: true,
    kinds: ['bilder', 'video'],
    mediaTypes: null,
    scaling: { edge: PREVIEW_EDGE, quality: 75 },
    encoder: '1',
    route: PREVIEWS_ROUTE,
  },
}

export const DERIVED_PARTS = Object.keys(DERIVATIONS) as DerivedPart[]

/** The parts that are served under a route of their own. */
export const DERIVED_ROUTES = DERIVED_PARTS.flatMap(part => {
  const { route } = DERIVATIONS[part]
  return route === null ? [] : { part, route }
})

export const sizeColumn = (part: DerivedPart) => `${part}_size` as const
export const markColumn = (part: DerivedPart) => `${part}_mark` as const
export const encoderColumn = (part: DerivedPart) => `${part}_encoder` as const

/** The columns that show which derived files a row has. */
export interface DerivedColumns
  extends Record<`${DerivedPart}_size`, number | null>,
    Record<`${DerivedPart}_mark`, string | null> {}
export const DERIVED_COLUMNS = DERIVED_PARTS.flatMap(part => [sizeColumn(part), markColumn(part)])
export const ENCODER_COLUMNS = DERIVED_PARTS.map(encoderColumn)

/** Column values that mean that a row has no files for these parts. */
export const emptyPartColumns = (parts: readonly DerivedPart[]): Partial<DerivedColumns> =>
  Object.fromEntries(parts.map(part => [sizeColumn(part), null]))

/**
 * Whether a file of this media type may have this part. The caller must check the kind of the file (`kinds`
 * of the derivation).
 */
export function mayHavePart(part: DerivedPart, mime: string): boolean {
  return DERIVATIONS[part].mediaTypes?.includes(mediaTypeEssence(mime)) ?? true
}

/**
 * Checks the row of a file, in the library and in the trash, wherever the row comes from: an upload, an archive, the
 * disk. Every reader trusts a row: its type goes into a header, its length decides what is sent, its path and id become
 * names on disk.
 */
import { z } from 'zod'
import { isMediaType, KINDS, kindOf } from '../../contract/kinds.ts'
import { isValidPath } from '../../contract/paths.ts'

const count = z.int().nonnegative()
const number = z.int().positive()
/** Milliseconds, within the range of a JavaScript `Date`. */
const time = z.int().min(-8.64e15).max(8.64e15)

const fileRow = z
  .looseObject({
    nr: number.optional(),
    id: z.string().regex(/^[0-9a-z]{16}$/),
    path: z.string().refine(isValidPath),
    size: count,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    mime: z.string().refine(isMediaType),
    kind: z.enum(KINDS),
    token_id: z.string().nullable(),
    created_at: time,
    updated_at: time,
    // Columns that an upload leaves to the database, or that only one of the two tables has.
    width: count.nullable().optional(),
    height: count.nullable().optional(),
    duration: z.number().nonnegative().nullable().optional(),
    variant_size: count.nullable().optional(),
    preview_size: count.nullable().optional(),
    retrievals: count.optional(),
    retrieved_at: time.nullable().optional(),
    derived: z.enum(['pending', 'done', 'failed']).optional(),
    derive_attempts: count.optional(),
    media_nr: number.nullable().optional(),
    deleted_at: time.optional(),
    deleted_by: z.string().optional(),
  })
  .refine(({ kind, mime }) => kind === kindOf(mime), { path: ['kind'] })

/** The first column that is wrong; null when the row may be written. */
export function wrongColumn(row: Readonly<Record<string, unknown>>): string | null {
  const { error } = fileRow.safeParse(row)
  return error ? String(error.issues[0]?.path[0]) : null
}

/** Answers the row; throws when a column is wrong. For rows that this program made: a wrong one is a bug of ours. */
export function sound<Row extends Readonly<Record<string, unknown>>>(row: Row): Row {
  const column = wrongColumn(row)
  if (column !== null) throw new Error(`the row of ${String(row.path)} is not written: ${column} is invalid`)
  return row
}

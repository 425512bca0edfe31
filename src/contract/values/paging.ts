/**
 * Pages of a list. `seite`: the number of the page, from 1. `anzahl`: the number of entries per page, one of
 * `PAGE_SIZES`.
 */
import { z } from 'zod'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from './page-sizes.ts'

/** Numbers in a query are text. Only digits are accepted, so `1e3` and spaces are refused. */
export const digitsOnly = (schema: z.ZodString) => schema.regex(/^[0-9]{1,9}$/, 'muss eine ganze Zahl sein')

export const pageQuery = z.strictObject({
  seite: digitsOnly(z.string())
    .transform(Number)
    .refine(page => page >= 1, 'muss mindestens 1 sein')
    .default(1),
  anzahl: digitsOnly(z.string())
    .transform(Number)
    .refine(
      size => (PAGE_SIZES as readonly number[]).includes(size),
      `muss eines von ${PAGE_SIZES.join(', ')} sein`,
    )
    .default(DEFAULT_PAGE_SIZE),
})

export const pageAnswer = { gesamt: z.int(), seite: z.int(), anzahl: z.int() }

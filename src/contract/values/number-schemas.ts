/** Schemas that several routes share. */
import { z } from 'zod'

export const positiveInteger = z.int('muss eine ganze Zahl sein').positive('muss größer als null sein')

/** A time in a query, in Unix milliseconds. */
export const timestampText = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'muss eine Zeit in Millisekunden sein')
  .transform(Number)

/** What a token may be limited to. Names as on the wire. */
import { z } from 'zod'
import { KINDS } from './kinds.ts'
import { pathProblem } from './paths.ts'

/** Every token begins with it, so that a leaked one is recognised by secret scanners. */
export const TOKEN_PREFIX = 'media_'

/** Where generated paths go when the token has no prefix of its own. */
export const DEFAULT_PREFIX = 'uploads/'

/** `items` and `items/` mean the same; kept with its slash, so that it always ends on a boundary. */
const prefix = z
  .string()
  .transform(value => value.replace(/\/$/, ''))
  .refine(value => pathProblem(value) === null, 'ist kein gültiger Pfad')
  .transform(value => `${value}/`)

const wholePositive = z.number().int('muss eine ganze Zahl sein').positive('muss größer als null sein')

export const tokenLimits = z.object({
  praefix: prefix.nullable().default(null),
  darf_loeschen: z.boolean().default(false),
  max_datei: wholePositive.nullable().default(null),
  kontingent: wholePositive.nullable().default(null),
  arten: z.array(z.enum(KINDS)).min(1, 'braucht mindestens eine Art').nullable().default(null),
  gueltig_bis: wholePositive.nullable().default(null),
  max_kante: wholePositive.nullable().default(null),
})

export const newToken = tokenLimits.extend({
  name: z.string().trim().min(1, 'darf nicht leer sein').max(100, 'darf höchstens 100 Zeichen haben'),
})

export type NewToken = z.infer<typeof newToken>

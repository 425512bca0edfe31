/** What a token may be limited to, and how it looks on the wire. */
import { z } from 'zod'
import { KINDS } from './kinds.ts'
import { pathProblem } from './paths.ts'

/** Every token begins with it, so that a leaked one is recognised by secret scanners. */
export const TOKEN_PREFIX = 'media_'

/** Where generated paths go when the token has no prefix of its own. */
export const DEFAULT_PREFIX = 'uploads/'

const name = z.string().trim().min(1, 'darf nicht leer sein').max(100, 'darf höchstens 100 Zeichen haben')

/** `items` and `items/` mean the same; kept with its slash, so that it always ends on a boundary. */
const prefix = z
  .string()
  .transform(value => value.replace(/\/$/, ''))
  .refine(value => pathProblem(value) === null, 'ist kein gültiger Pfad')
  .transform(value => `${value}/`)

const wholePositive = z.int('muss eine ganze Zahl sein').positive('muss größer als null sein')

/** Null means: no such limit. */
const limits = {
  praefix: prefix.nullable(),
  darf_loeschen: z.boolean().nullable(),
  max_datei: wholePositive.nullable(),
  kontingent: wholePositive.nullable(),
  arten: z.array(z.enum(KINDS)).min(1, 'braucht mindestens eine Art').nullable(),
  gueltig_bis: wholePositive.nullable(),
  max_kante: wholePositive.nullable(),
}

/** A new token; what is left out is not limited. */
export const newToken = z
  .object({ name, ...limits })
  .partial()
  .required({ name: true })
export type NewToken = z.infer<typeof newToken>

/** A change: what is left out stays, null clears a limit. */
export const tokenPatch = z.object({ name, ...limits }).partial()
export type TokenPatch = z.infer<typeof tokenPatch>

export interface TokenOnWire {
  id: string
  name: string
  praefix: string | null
  darf_loeschen: boolean
  max_datei: number | null
  kontingent: number | null
  arten: readonly (typeof KINDS)[number][] | null
  gueltig_bis: number | null
  max_kante: number | null
  erstellt_am: number
  zuletzt_benutzt: number | null
  dateien: number
  bytes: number
}

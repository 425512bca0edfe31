/** Accounts and sessions: the cookie, schemas of requests and answers, rules for names and passwords. */
import { z } from 'zod'
import { pictureSizeAnswer } from '../files/picture-sizes.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, USER_NAME_MAX_LENGTH } from '../values/input-limits.ts'
import { maxCharacters } from '../values/text.ts'
import { accountFolders } from './account-folders.ts'
import { ROLES } from './roles.ts'

export const SESSION_COOKIE = 'fundus_sitzung'

/**
 * Visible characters with single spaces, so that names do not differ only in spaces or invisible characters.
 */
const VISIBLE_TEXT_PATTERN = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u

const typedName = z
  .string()
  .normalize('NFC')
  .trim()
  .min(1, 'darf nicht leer sein')
  .max(...maxCharacters(USER_NAME_MAX_LENGTH))

export const typedPassword = z
  .string()
  .min(1, 'darf nicht leer sein')
  .max(...maxCharacters(PASSWORD_MAX_LENGTH))

export const userName = typedName.regex(
  VISIBLE_TEXT_PATTERN,
  'darf nur sichtbare Zeichen und einzelne Leerzeichen enthalten',
)

/** The minimum length counts code points, so that an emoji of two code units counts as one character. */
export const newPassword = typedPassword
  .min(PASSWORD_MIN_LENGTH, `muss mindestens ${PASSWORD_MIN_LENGTH} Zeichen haben`)
  .refine(
    value => [...value].length >= PASSWORD_MIN_LENGTH,
    `muss mindestens ${PASSWORD_MIN_LENGTH} Zeichen haben`,
  )

/**
 * The rules for new names and passwords are not checked here: a sign-in that breaks them gets the same answer
 * as one with a wrong password.
 */
export const loginInput = z.object({ benutzer: typedName, passwort: typedPassword })

export const accountInput = z.object({ benutzer: userName, passwort: newPassword })

/** Input of the route with which an operator creates an account of any role. */
export const newAccountInput = z.strictObject({
  ...accountInput.shape,
  rolle: z.enum(ROLES).default('redaktion'),
  ordner: accountFolders.default(null).describe('Nur diese Ordner mit ihren Unterordnern; null: alle'),
})

/** An omitted field keeps its value. */
export const accountPatch = z
  .strictObject({
    rolle: z.enum(ROLES),
    ordner: accountFolders.describe('Nur diese Ordner mit ihren Unterordnern; null: alle'),
    passwort: newPassword,
    zweiter_faktor: z.null().describe('null entfernt App, Notfallcodes und Passkeys des Kontos'),
  })
  .partial()

export const setupInput = accountInput.extend({ code: z.string().max(100, 'ist zu lang') })

export const passwordInput = z.object({ alt: typedPassword, neu: newPassword })

export type NewAccountInput = z.output<typeof newAccountInput>
export type AccountPatch = z.output<typeof accountPatch>
export type AccountInput = z.infer<typeof accountInput>
export type LoginInput = z.infer<typeof loginInput>
export type SetupInput = z.infer<typeof setupInput>
export type PasswordInput = z.infer<typeof passwordInput>

/** `ordner`: the folders to which the account is limited; null: it is not limited. */
const rightsFields = { rolle: z.enum(ROLES), ordner: z.array(z.string()).readonly().nullable() }

/** The second factors of an account. `passkeys`: the number of passkeys. */
const factorFields = { zweiter_faktor: z.enum(['totp']).nullable(), passkeys: z.int() }

/** Times are Unix milliseconds; `zuletzt_angemeldet` is null before the first sign-in. */
export const accountAnswer = z.object({
  id: z.string(),
  benutzer: z.string(),
  ...rightsFields,
  erstellt_am: z.int(),
  zuletzt_angemeldet: z.int().nullable(),
  ...factorFields,
})

/**
 * The answer to a completed sign-in, to the set-up, and to an accepted invitation. It also sets the session
 * cookie.
 */
export const signedInAnswer = z.object({ benutzer: z.string() })

/** The answer of `GET /api/dash/ich`, about the account that is signed in. */
export const sessionAnswer = z.object({
  benutzer: z.string(),
  ...rightsFields,
  gueltig_bis: z.int(),
  ...factorFields,
  /**
   * True if the setting `ZWEITER_FAKTOR` requires a second factor and the account has none. Until it has one,
   * it can do little else than set one up.
   */
  zweiter_faktor_fehlt: z.boolean(),
  /**
   * True if the person signs in with an external provider, and so has neither password nor second factors
   * here.
   */
  extern: z.boolean(),
  /** The settings that the dashboard needs for every role. */
  dienst: z.object({
    PUBLIC_URL: z.string(),
    FILES_HOST: z.string(),
    MAX_UPLOAD_MB: z.number(),
    DIENST: z.string(),
    BILDGROESSEN: z.array(pictureSizeAnswer),
  }),
})
export type SessionAnswer = z.infer<typeof sessionAnswer>

/**
 * `offen`: whether no account exists yet. `passkey`: whether passkeys are possible at the public address of
 * the service. `anbieter`: the external providers with which one can sign in.
 */
export const setupAnswer = z.object({
  offen: z.boolean(),
  anmeldung: z.object({
    passkey: z.boolean(),
    anbieter: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
})

export const doneAnswer = z.object({ ok: z.literal(true) })

export type AccountAnswer = z.infer<typeof accountAnswer>

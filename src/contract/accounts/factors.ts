/** Second factors on the wire: authenticator apps (TOTP), emergency codes, passkeys. */
import { z } from 'zod'
import { CHALLENGE_MINUTES, PASSKEY_NAME_MAX_LENGTH } from '../values/input-limits.ts'
import { maxCharacters } from '../values/text.ts'
import { MINUTE } from '../values/units.ts'
import { typedPassword } from './session.ts'

/** Milliseconds after the correct password within which the code of the second factor must be entered. */
export const LOGIN_STEP_LIFETIME = 5 * MINUTE

/** Milliseconds for which a passkey challenge is valid. */
export const CHALLENGE_LIFETIME = CHALLENGE_MINUTES * MINUTE

export const EMERGENCY_CODE_COUNT = 10

const factorCode = z.string().trim().min(1, 'darf nicht leer sein').max(100, 'ist zu lang')

export const codeInput = z.strictObject({ code: factorCode })

export const removeTotpInput = z.strictObject({ passwort: typedPassword })

/** `schritt`: the value from `secondStepAnswer`. `code`: from the authenticator app, or an emergency code. */
export const secondStepInput = z.strictObject({
  schritt: z.string().max(1000, 'ist zu lang'),
  code: factorCode,
})

/**
 * The answer to a correct password if the account also needs a code of its second factor. It sets no cookie;
 * `schritt` is sent back with the code.
 */
export const secondStepAnswer = z.object({
  zweiter_faktor: z.array(z.enum(['totp', 'notfallcode'])).readonly(),
  schritt: z.string(),
})

/** `geheimnis`: the shared secret. `adresse`: an `otpauth://` address with the secret, for a QR code. */
export const totpAnswer = z.object({ geheimnis: z.string(), adresse: z.string() })

export const emergencyCodesAnswer = z.object({ notfallcodes: z.array(z.string()) })

const passkeyName = z
  .string()
  .normalize('NFC')
  .trim()
  .min(1, 'darf nicht leer sein')
  .max(...maxCharacters(PASSKEY_NAME_MAX_LENGTH))
  .regex(/^\P{Cc}*$/u, 'darf keine Steuerzeichen enthalten')

/** Times are Unix milliseconds; `zuletzt_benutzt` is null before the first sign-in with the passkey. */
export const passkeyAnswer = z.object({
  id: z.string(),
  name: z.string(),
  erstellt_am: z.int(),
  zuletzt_benutzt: z.int().nullable(),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

/** The result of a credential's `toJSON()` (WebAuthn §5.1). The WebAuthn library checks the other fields. */
const credential = z.looseObject({
  id: z.string().max(2000, 'ist zu lang'),
  rawId: z.string(),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string() }),
})

export const passkeyInput = z.strictObject({ name: passkeyName, antwort: credential })
export const passkeyRenameInput = z.strictObject({ name: passkeyName })
export const passkeySignInInput = z.strictObject({ antwort: credential })
export type Credential = z.infer<typeof credential>

/** `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const passkeyOptions = z.looseObject({ challenge: z.string() })

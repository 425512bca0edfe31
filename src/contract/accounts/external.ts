/**
 * Sign-in with an external provider (OpenID Connect, Discord): routes, rules for roles, and the trial of a
 * sign-in.
 */

import { z } from 'zod'
import { DASHBOARD_ROUTE } from '../paths/addresses.ts'
import { EXTERNAL_RULES_MAX } from '../values/input-limits.ts'
import { parseJson } from '../values/parse-json.ts'
import type { BilingualText } from '../words/both-languages.ts'
import { accountFolders } from './account-folders.ts'
import { ROLES } from './roles.ts'

export const EXTERNAL_SIGN_IN_ROUTE = `${DASHBOARD_ROUTE}/login/extern`

export const PROVIDERS = ['oidc', 'discord'] as const
export type ProviderId = (typeof PROVIDERS)[number]

export const DISCORD_ADDRESS = 'https://discord.com'

/** Milliseconds within which the browser must return from the provider. */
export const EXTERNAL_SIGN_IN_LIFETIME = 600_000

const shortText = z.string().trim().min(1).max(200)
const discordId = z
  .string()
  .trim()
  .regex(/^[0-9]{1,20}$/)

/**
 * The rights that a rule grants: a role, and the folders to which the account is limited. A `betreiber`
 * (operator) cannot be limited.
 */
const rightsFields = { rolle: z.enum(ROLES), ordner: accountFolders.optional() }
const areFoldersAllowed = ({ rolle, ordner }: { rolle: string; ordner?: unknown }) =>
  rolle !== 'betreiber' || !ordner

/** A rule matches if the claim `anspruch` has the value `wert`, or is a list that contains it. */
const oidcRule = z
  .strictObject({ anspruch: shortText, wert: shortText, ...rightsFields })
  .refine(areFoldersAllowed)
/**
 * A rule matches members of the Discord server who have the role `rolle_id`. If `rolle_id` is the id of the
 * server, the rule matches every member.
 */
const discordRule = z.strictObject({ rolle_id: discordId, ...rightsFields }).refine(areFoldersAllowed)

/**
 * Returns the schema of a list of rules. The first matching rule of a list applies. The schema also accepts
 * the list as JSON text, as in an environment variable. `errorCode`: the error code for an invalid list.
 */
const ruleListSchema = <Rule extends z.ZodType>(rule: Rule, errorCode: string) =>
  z.union([z.string(), z.array(z.unknown())], errorCode).transform((input, context): z.output<Rule>[] => {
    const parsed = z
      .array(rule)
      .max(EXTERNAL_RULES_MAX)
      .safeParse(typeof input === 'string' ? parseJson(input) : input)
    if (parsed.success) return parsed.data
    context.addIssue(errorCode)
    return z.NEVER
  })

export const oidcRules = ruleListSchema(oidcRule, 'oidc-rules')
export const discordRules = ruleListSchema(discordRule, 'discord-rules')

const rightsAnswerFields = { rolle: z.enum(ROLES), ordner: z.array(z.string()).nullable().optional() }
export const oidcRuleAnswer = z.object({ anspruch: z.string(), wert: z.string(), ...rightsAnswerFields })
export const discordRuleAnswer = z.object({ rolle_id: z.string(), ...rightsAnswerFields })
export type OidcRule = z.output<typeof oidcRuleAnswer>
export type DiscordRule = z.output<typeof discordRuleAnswer>

/** The text of the link to the sign-in page, on the page that reports a refused sign-in. */
export const BACK_TO_SIGN_IN_TEXT: BilingualText = { de: 'Zurück zur Anmeldung', en: 'Back to sign-in' }

/**
 * `zurueck`: the page of the dashboard to return to. `probe`: a trial, which shows what the provider reports
 * and does not sign in.
 */
export const externalQuery = z.strictObject({
  zurueck: z.string().max(2000).optional(),
  probe: z.literal('1').optional(),
})

/** The query parameters with which the provider sends the browser back. */
export const externalReturnQuery = z.looseObject({
  code: z.string().optional(),
  state: z.string().optional(),
  iss: z.string().optional(),
  error: z.string().optional(),
})

/** `antwort`: the query string with which the provider sent the browser back. */
export const signInTrialInput = z.strictObject({ antwort: z.string().max(8000) })

/**
 * `regel`: the number of the first matching rule, counted from 1; null: no rule matches, so the person would
 * be refused.
 */
export const signInTrialAnswer = z.object({
  benutzer: z.string(),
  ansprueche: z.record(z.string(), z.unknown()),
  regel: z.int().nullable(),
  rolle: z.enum(ROLES).nullable(),
  ordner: z.array(z.string()).nullable(),
})

/** Settings in the requests and answers of the dashboard's routes. */
import { z } from 'zod'
import { discordRuleAnswer, oidcRuleAnswer } from '../accounts/external.ts'
import { pictureSizeAnswer } from '../files/picture-sizes.ts'
import { OCCASIONS } from './occasions.ts'
import { isSecretSetting } from './secret-settings.ts'
import { SETTING_NAMES, type SettingName } from './settings.ts'
import { WARNING_CODES } from './warnings.ts'

/** Where the current value comes from: saved, the environment, or the default. */
export const SETTING_SOURCES = ['gespeichert', 'umgebung', 'vorgabe'] as const
export type SettingSource = (typeof SETTING_SOURCES)[number]

const NON_TEXT_SCHEMAS: Partial<Record<SettingName, z.ZodType>> = {
  MAX_UPLOAD_MB: z.number(),
  BILDGROESSEN: z.array(pictureSizeAnswer),
  BILDGROESSEN_MAX_MB: z.number(),
  PAPIERKORB_MAX_MB: z.number(),
  SICHERUNG_BEHALTEN: z.int(),
  SICHERUNG_WOCHEN: z.int(),
  SICHERUNG_MONATE: z.int(),
  WEBHOOK_ANLAESSE: z.array(z.enum(OCCASIONS)),
  OIDC_REGELN: z.array(oidcRuleAnswer),
  DISCORD_REGELN: z.array(discordRuleAnswer),
}
const textSchema = z.string()
const valueSchema = (name: SettingName) => NON_TEXT_SCHEMAS[name] ?? textSchema

const objectBySettingName = (schemaOf: (name: SettingName) => z.ZodType) =>
  Object.fromEntries(SETTING_NAMES.map(name => [name, schemaOf(name)]))

const sourceSchema = z.enum(SETTING_SOURCES)

/** A warning about a value that is valid and in force, but cannot work. */
const warningSchema = z.object({ code: z.enum(WARNING_CODES), satz: z.string() })
export type SettingWarningOnWire = z.infer<typeof warningSchema>

const secretAnswer = z.object({ quelle: sourceSchema, geheim: z.literal(true), gesetzt: z.boolean() })
const answerSchemaFor = (wert: z.ZodType) =>
  z.object({ wert, quelle: sourceSchema, warnung: warningSchema.optional() })
const textAnswer = answerSchemaFor(textSchema)

/** The answer of `GET /api/dash/einstellungen`. A secret is only reported as set or not set. */
export const settingsAnswer = z.object(
  objectBySettingName(name => {
    const schema = NON_TEXT_SCHEMAS[name]
    return isSecretSetting(name) ? secretAnswer : schema ? answerSchemaFor(schema) : textAnswer
  }),
)

/** A value in a request. Only its type is checked here; `settingSchemas` checks the value later. */
const inputValueSchema = z
  .union(
    [z.string(), z.number(), z.array(z.union([z.string(), z.looseObject({})]))],
    'muss ein Text, eine Zahl oder eine Liste sein',
  )
  .nullable()
  .optional()

/**
 * The body of `PUT /api/dash/einstellungen`. An omitted setting stays as it is; for a blank text or null, its
 * saved value is removed. Unknown names are errors.
 */
export const settingsInput = z.strictObject(objectBySettingName(() => inputValueSchema))

/**
 * The body of `POST /api/dash/einstellungen/import`. An empty value does not change its setting. Unknown
 * names, for example from a newer version, are reported in the answer.
 */
export const settingsImport = z.looseObject(objectBySettingName(() => inputValueSchema))

export type SettingsInput = Readonly<Record<string, unknown>>

/**
 * A setting's value as text that can be entered again. The texts of a list are joined by `separator`; a list
 * of objects, such as rules, becomes JSON.
 */
export const settingText = (value: unknown, separator = ', ') =>
  !Array.isArray(value)
    ? String(value)
    : value.every(item => typeof item === 'string')
      ? value.join(separator)
      : JSON.stringify(value)

export const settingsImportAnswer = z.object({
  /** Names of the settings whose value changed. */
  geaendert: z.array(z.string()),
  unbekannt: z.array(z.string()),
})

export const settingsExportQuery = z.strictObject({ geheim: z.enum(['0', '1']).optional() })

/** The answer of `GET /api/dash/einstellungen/export`: `{NAME: value}`, which the import accepts. */
export const settingsExport = z.object(objectBySettingName(valueSchema)).partial()

/** Replaces a secret in the history of administration and in the output of `fundus settings list`. */
export const MASKED_SECRET = '••••••'

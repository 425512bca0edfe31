/** The settings in force: from the environment, else the default. */
import { type SettingName, type SettingValues, settingSchemas } from '../../contract/settings.ts'

export interface Settings {
  /** Read anew at each use, never kept: a change takes effect at once. */
  current(): SettingValues
}

/** A setting in the environment that cannot be used, in a sentence for the operator. */
export class SettingError extends Error {}

export function createSettings(options: {
  environment: Record<string, string | undefined>
  port: number
}): Settings {
  const from = <N extends SettingName>(name: N) => {
    const given = options.environment[name]
    const result = settingSchemas[name].safeParse(given === '' ? undefined : given)
    if (!result.success) {
      throw new SettingError(`Die Einstellung ${name} ${result.error.issues[0]?.message ?? 'ist ungültig'}.`)
    }
    return result.data as SettingValues[N] | undefined
  }
  const values: SettingValues = {
    PUBLIC_URL: from('PUBLIC_URL') ?? `http://localhost:${options.port}`,
    FILES_HOST: from('FILES_HOST') ?? '',
    MAX_UPLOAD_MB: from('MAX_UPLOAD_MB')!,
  }
  return { current: () => values }
}

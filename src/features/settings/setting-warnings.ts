/** Settings that may be saved and yet cannot do what they are for: told beside the setting, on the terminal, at the start. */
import { SETTING_NAMES, type SettingName, type SettingValues } from '../../contract/settings.ts'
import { WARNINGS, type WarningCode } from '../../contract/warnings.ts'
import { hostName } from '../../http/site.ts'
import { isForeignPath } from '../../storage/platform.ts'

export interface SettingWarning {
  name: SettingName
  code: WarningCode
  sentence: string
}

/** In the order of the settings. */
export function warningsOf(values: SettingValues, platform: string = process.platform): SettingWarning[] {
  const codes: Partial<Record<SettingName, WarningCode | false>> = {
    FILES_HOST: isElsewhere(values) && 'files-host-elsewhere',
    SICHERUNG_ZIEL: isForeignPath(values.SICHERUNG_ZIEL, platform) && 'target-foreign',
    SICHERUNG_ZWEITZIEL: isForeignPath(values.SICHERUNG_ZWEITZIEL, platform) && 'second-target-foreign',
  }
  return SETTING_NAMES.flatMap(name => {
    const code = codes[name]
    return code ? [{ name, code, sentence: WARNINGS[code] }] : []
  })
}

/** Files answer on `FILES_HOST` alone, and every address that is handed out begins with `PUBLIC_URL`. */
const isElsewhere = ({ FILES_HOST, PUBLIC_URL }: SettingValues) =>
  FILES_HOST !== '' && hostName(new URL(PUBLIC_URL).host) !== FILES_HOST

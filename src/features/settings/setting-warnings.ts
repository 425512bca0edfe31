/**
 * Warnings about settings that may be saved and yet cannot serve their purpose. The warnings are shown beside
 * the setting in the dashboard, on the terminal and at the start.
 */
import { SETTING_NAMES, type SettingName, type SettingValues } from '../../contract/service/settings.ts'
import { WARNINGS, type WarningCode } from '../../contract/service/warnings.ts'
import { hostName } from '../../http/access/host-name.ts'
import { isForeignPath } from '../../storage/local/platform.ts'

interface SettingWarning {
  name: SettingName
  code: WarningCode
  sentence: string
}

/**
 * The warnings in the order of the settings. `isShared`: the service runs on PostgreSQL and an object store.
 */
export function warningsOf(
  values: SettingValues,
  { isShared, platform = process.platform }: { isShared: boolean; platform?: string },
): SettingWarning[] {
  const codes: Partial<Record<SettingName, WarningCode | false>> = {
    FILES_HOST: isElsewhere(values) && 'files-host-elsewhere',
    SICHERUNG_ZIEL:
      values.SICHERUNG_ZIEL === ''
        ? isShared && 'target-unset'
        : isForeignPath(values.SICHERUNG_ZIEL, platform) && 'target-foreign',
    SICHERUNG_ZWEITZIEL: isForeignPath(values.SICHERUNG_ZWEITZIEL, platform) && 'second-target-foreign',
  }
  return SETTING_NAMES.flatMap(name => {
    const code = codes[name]
    return code ? [{ name, code, sentence: WARNINGS[code] }] : []
  })
}

/**
 * Files are served on `FILES_HOST` alone, while every address that the service hands out begins with
 * `PUBLIC_URL`. So those addresses lead nowhere when the two hosts differ.
 */
const isElsewhere = ({ FILES_HOST, PUBLIC_URL }: SettingValues) =>
  FILES_HOST !== '' && hostName(new URL(PUBLIC_URL).host) !== FILES_HOST

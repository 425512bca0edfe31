/**
 * Warnings about settings that are valid but cannot work. The dashboard, the command line and the service at
 * startup show them.
 */
import { SETTING_NAMES, type SettingName, type SettingValues } from '../../contract/service/settings.ts'
import { WARNINGS, type WarningCode } from '../../contract/service/warnings.ts'
import { hostName } from '../../http/access/files-host.ts'
import { isForeignPath } from '../../storage/local/foreign-path.ts'

interface SettingWarning {
  name: SettingName
  code: WarningCode
  sentence: string
}

/**
 * Returns the warnings in the order of `SETTING_NAMES`. `isShared`: the service uses PostgreSQL and an object
 * store.
 */
export function settingWarningsOf(
  values: SettingValues,
  { isShared, platform = process.platform }: { isShared: boolean; platform?: string },
): SettingWarning[] {
  const codeBySetting: Partial<Record<SettingName, WarningCode | false>> = {
    FILES_HOST: filesHostDiffers(values) && 'files-host-elsewhere',
    SICHERUNG_ZIEL:
      values.SICHERUNG_ZIEL === ''
        ? isShared && 'target-unset'
        : isForeignPath(values.SICHERUNG_ZIEL, platform) && 'target-foreign',
    SICHERUNG_ZWEITZIEL: isForeignPath(values.SICHERUNG_ZWEITZIEL, platform) && 'second-target-foreign',
    SICHERUNG_S3_ENDPOINT: isPartlySet(bucketSettings(values)) && 'bucket-incomplete',
    OIDC_ISSUER: isPartlySet(oidcSettings(values)) && 'oidc-incomplete',
    DISCORD_CLIENT_ID: isPartlySet(discordSettings(values)) && 'discord-incomplete',
  }
  return SETTING_NAMES.flatMap(name => {
    const code = codeBySetting[name]
    return code ? [{ name, code, sentence: WARNINGS[code] }] : []
  })
}

/**
 * If `FILES_HOST` is set, files are served only on that host, while every returned address begins with
 * `PUBLIC_URL`. If the hosts differ, these addresses do not work.
 */
const filesHostDiffers = ({ FILES_HOST, PUBLIC_URL }: SettingValues) =>
  FILES_HOST !== '' && hostName(new URL(PUBLIC_URL).host) !== FILES_HOST

/** Whether only some of the settings that belong together are set. */
const isPartlySet = (values: readonly (string | readonly unknown[])[]) =>
  values.some(value => value.length === 0) && values.some(value => value.length > 0)

const bucketSettings = (values: SettingValues) => [
  values.SICHERUNG_S3_ENDPOINT,
  values.SICHERUNG_S3_BUCKET,
  values.SICHERUNG_S3_ACCESS_KEY_ID,
  values.SICHERUNG_S3_SECRET_ACCESS_KEY,
]

const oidcSettings = (values: SettingValues) => [
  values.OIDC_ISSUER,
  values.OIDC_CLIENT_ID,
  values.OIDC_CLIENT_SECRET,
  values.OIDC_REGELN,
]

const discordSettings = (values: SettingValues) => [
  values.DISCORD_CLIENT_ID,
  values.DISCORD_CLIENT_SECRET,
  values.DISCORD_SERVER,
  values.DISCORD_REGELN,
]

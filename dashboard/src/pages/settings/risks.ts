/**
 * Finds changes of settings that could make the dashboard unreachable or break the addresses of files. The
 * operator must confirm such changes before they are saved.
 */
import type { SettingsAnswer } from '../../api/routes.ts'
import { currentValueOf, type DraftChange } from './drafts.ts'

export type SettingsRisk =
  /**
   * The operator loses access to the dashboard at its current host: `FILES_HOST` becomes this host, which
   * then serves only files.
   */
  | 'dashboardHidden'
  /**
   * The addresses of files stop working: they begin with `PUBLIC_URL`, but files are served only on
   * `FILES_HOST`, which is another host.
   */
  | 'filesElsewhere'
  /**
   * Addresses may stop working: the host in `PUBLIC_URL` is neither that of this page nor `FILES_HOST`, so
   * the service may not be reachable there.
   */
  | 'addressUnseen'

/** The risks of these changes. `dashboardLocation` is the address at which the dashboard is open. */
export function risksOf(
  changes: readonly DraftChange[],
  settings: SettingsAnswer,
  dashboardLocation: Pick<Location, 'host' | 'hostname'>,
): SettingsRisk[] {
  const changeOf = (name: 'PUBLIC_URL' | 'FILES_HOST') => changes.find(change => change.name === name)
  const textOf = (name: 'PUBLIC_URL' | 'FILES_HOST') =>
    String(changeOf(name)?.to ?? currentValueOf(settings, name) ?? '')
      .trim()
      .toLowerCase()
  const [publicUrl, filesHost] = [parseUrl(textOf('PUBLIC_URL')), textOf('FILES_HOST')]
  if (!changeOf('PUBLIC_URL') && !changeOf('FILES_HOST')) return []
  const risks: SettingsRisk[] = []
  if (changeOf('FILES_HOST') && filesHost === dashboardLocation.hostname) risks.push('dashboardHidden')
  if (filesHost !== '' && publicUrl && publicUrl.hostname !== filesHost) risks.push('filesElsewhere')
  if (
    changeOf('PUBLIC_URL') &&
    publicUrl &&
    publicUrl.host !== dashboardLocation.host &&
    publicUrl.hostname !== filesHost
  )
    risks.push('addressUnseen')
  return risks
}

/**
 * The parsed address. Null for an empty text, which resets the setting to its default, and for an invalid
 * one, which cannot be saved.
 */
const parseUrl = (text: string) => URL.parse(text)

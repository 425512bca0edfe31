/**
 * Finds changes of settings after which addresses or the dashboard could stop working, so that the user is
 * asked before they are saved.
 */
import type { SettingsAnswer } from '../../api/routes.ts'
import { currentValueOf, type DraftChange } from './drafts.ts'

export type SettingsRisk =
  /** The host of the dashboard becomes the host for files, on which the dashboard does not answer. */
  | 'dashboardHidden'
  /** Addresses of files would have a host on which files are not served. */
  | 'filesElsewhere'
  /**
   * The public address would have a host that is neither that of this page nor the one for files, so it may
   * not work.
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

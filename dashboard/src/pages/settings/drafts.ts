/**
 * Unsaved changes of settings. They are stored outside of the components of the settings page: the back
 * button cannot be intercepted, and leaving the page with it must not lose them.
 */
import type { DiscordRule, OidcRule } from '../../../../src/contract/accounts/external.ts'
import type { PictureSize } from '../../../../src/contract/files/picture-sizes.ts'
import type { Occasion } from '../../../../src/contract/service/occasions.ts'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import type { SettingsAnswer, SettingsInput } from '../../api/routes.ts'
import { createObservable, useObservable } from '../../state/observable.ts'

/** A sign-in rule for OpenID Connect or Discord while it is edited. */
export type RuleDraft = Partial<OidcRule & DiscordRule>

/** A picture size while it is edited. */
export type SizeDraft = Partial<PictureSize>

/**
 * The unsaved value of a setting: a text as it was typed, the occasions that are switched on, or the whole
 * list of rules or sizes.
 */
export type SettingDraft = string | readonly Occasion[] | readonly RuleDraft[] | readonly SizeDraft[]
export type SettingDrafts = Readonly<Partial<Record<SettingName, SettingDraft>>>

const drafts = createObservable<SettingDrafts>({})

export const useDrafts = (): SettingDrafts => useObservable(drafts)
export const setDraft = (name: SettingName, draft: SettingDraft) =>
  drafts.set({ ...drafts.get(), [name]: draft })
export const discardDrafts = (names: readonly SettingName[]) =>
  drafts.set(
    Object.fromEntries(Object.entries(drafts.get()).filter(([name]) => !names.includes(name as SettingName))),
  )

export interface DraftChange {
  name: SettingName
  /** The current value; null for a secret, whose value the service does not send to the browser. */
  from: SettingDraft | null
  to: SettingDraft
}

/** The value as its field shows it: a number becomes text, in German with a decimal comma. */
export function fieldValueOf(value: number | SettingDraft, hasDecimalComma: boolean): SettingDraft {
  if (typeof value !== 'number') return value
  return hasDecimalComma ? String(value).replace('.', ',') : String(value)
}

export const currentValueOf = (settings: SettingsAnswer, name: SettingName) => {
  const setting = settings[name]
  return 'wert' in setting ? setting.wert : null
}

/** The changes that saving would make. A draft equal to the current value is no change. */
export function changesOf(
  settings: SettingsAnswer,
  allDrafts: SettingDrafts,
  names: readonly SettingName[],
  hasDecimalComma: boolean,
): DraftChange[] {
  return names.flatMap((name): DraftChange[] => {
    const to = allDrafts[name]
    if (to === undefined) return []
    const value = currentValueOf(settings, name)
    // An empty secret is no change: its field was opened and left empty.
    if (value === null) return to === '' ? [] : [{ name, from: null, to }]
    const from = fieldValueOf(value, hasDecimalComma)
    return isSameDraft(from, to) ? [] : [{ name, from, to }]
  })
}

const isSameDraft = (draft: SettingDraft, otherDraft: SettingDraft) =>
  typeof draft === 'string' || typeof otherDraft === 'string'
    ? typeof draft === 'string' && typeof otherDraft === 'string' && draft === otherDraft.trim()
    : JSON.stringify(draft) === JSON.stringify(otherDraft)

/**
 * The body of the request that saves these changes. An empty text resets the setting to the environment or
 * the default.
 */
export const requestBodyOf = (changes: readonly DraftChange[]): SettingsInput =>
  Object.fromEntries(
    changes.map(({ name, to }) => [name, typeof to === 'string' && to.trim() === '' ? null : to]),
  )

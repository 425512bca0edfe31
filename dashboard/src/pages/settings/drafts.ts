/** Unsaved settings. Kept outside of the page, so that visiting another page loses nothing. */
import type { DiscordRule, OidcRule } from '../../../../src/contract/accounts/external.ts'
import type { PictureSize } from '../../../../src/contract/files/picture-sizes.ts'
import type { Occasion } from '../../../../src/contract/service/occasions.ts'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import type { SettingsAnswer, SettingsInput } from '../../api/routes.ts'
import { createObservable, useObservable } from '../../state/observable.ts'

/** A rule while it is edited, of either provider. */
export type RuleDraft = Partial<OidcRule & DiscordRule>

/** A size of pictures while it is edited. */
export type SizeDraft = Partial<PictureSize>

/** Text as typed; for the occasions, those that are switched on; for rules and sizes, all of them. */
export type Draft = string | readonly Occasion[] | readonly RuleDraft[] | readonly SizeDraft[]
export type Drafts = Readonly<Partial<Record<SettingName, Draft>>>

const drafts = createObservable<Drafts>({})

export const useDrafts = (): Drafts => useObservable(drafts)
export const setDraft = (name: SettingName, draft: Draft) => drafts.set({ ...drafts.get(), [name]: draft })
export const dropDrafts = (names: readonly SettingName[]) =>
  drafts.set(
    Object.fromEntries(Object.entries(drafts.get()).filter(([name]) => !names.includes(name as SettingName))),
  )

export interface Change {
  name: SettingName
  /** Null for a secret, whose value is unknown here. */
  from: Draft | null
  to: Draft
}

/** A value as in its field. Numbers with a decimal comma in German. */
export function asTyped(value: number | Draft, comma: boolean): Draft {
  if (typeof value !== 'number') return value
  return comma ? String(value).replace('.', ',') : String(value)
}

export const valueIn = (settings: SettingsAnswer, name: SettingName) => {
  const setting = settings[name]
  return 'wert' in setting ? setting.wert : null
}

/** The changes that saving would make; a draft equal to the current value is not a change. */
export function changesOf(
  settings: SettingsAnswer,
  given: Drafts,
  names: readonly SettingName[],
  comma: boolean,
): Change[] {
  return names.flatMap((name): Change[] => {
    const to = given[name]
    if (to === undefined) return []
    const value = valueIn(settings, name)
    // An empty secret: the field was opened and left empty.
    if (value === null) return to === '' ? [] : [{ name, from: null, to }]
    const from = asTyped(value, comma)
    return isSame(from, to) ? [] : [{ name, from, to }]
  })
}

const isSame = (one: Draft, other: Draft) =>
  typeof one === 'string' || typeof other === 'string'
    ? typeof one === 'string' && typeof other === 'string' && one === other.trim()
    : JSON.stringify(one) === JSON.stringify(other)

/** An empty value resets the setting to environment or default. */
export const inputOf = (changes: readonly Change[]): SettingsInput =>
  Object.fromEntries(
    changes.map(({ name, to }) => [name, typeof to === 'string' && to.trim() === '' ? null : to]),
  )

/** The state of one group of settings: drafts, problems and saving. */
import { useState } from 'react'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import { ApiError } from '../../api/error.ts'
import type { SettingsAnswer } from '../../api/routes.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { useErrorText } from '../../ui/error-notice.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { changesOf, discardDrafts, requestBodyOf, useDrafts } from './drafts.ts'
import { SETTING_GROUPS, type SettingGroup } from './groups.ts'
import { problemOf, type SettingRules } from './rules.ts'
import { useSaveSettings } from './use-save.ts'
import { settingWords, words } from './words.ts'

export type SettingGroupState = ReturnType<typeof useSettingGroup>

export function useSettingGroup(group: SettingGroup, settings: SettingsAnswer, rules: SettingRules | null) {
  const w = useWords(words)
  const settingNames = useWords(settingWords)
  const { language } = useLanguage()
  const notify = useNotify()
  const drafts = useDrafts()
  const saveMutation = useSaveSettings()
  const errorTextOf = useErrorText()
  const [wasSaveTried, setSaveTried] = useState(false)
  const names: readonly SettingName[] = SETTING_GROUPS[group]
  const changes = changesOf(settings, drafts, names, language === 'de')

  /** The setting whose value the service refused; undefined if the error is not about a single setting. */
  const refusedName = saveMutation.error instanceof ApiError ? saveMutation.error.field : undefined
  /**
   * Why the service refused the value of a setting; null if it did not, or if the field was changed
   * afterwards.
   */
  const refusalOf = (name: SettingName) =>
    refusedName === name && saveMutation.variables?.[name] === drafts[name] && saveMutation.error
      ? errorTextOf(saveMutation.error)
      : null
  const problemOfField = (name: SettingName) =>
    problemOf(rules, name, drafts[name], language) ?? refusalOf(name)

  async function save(): Promise<void> {
    setSaveTried(true)
    const invalidName = names.find(name => problemOf(rules, name, drafts[name], language))
    if (invalidName) {
      document.getElementById(`setting-${invalidName}`)?.focus()
      return
    }
    try {
      await saveMutation.mutateAsync(requestBodyOf(changes))
    } catch {
      // The error is shown beside the field or below the group, and the drafts are kept.
      return
    }
    discardDrafts(names)
    setSaveTried(false)
    notify.showSuccess(w.saved(changes.map(({ name }) => settingNames[name]).join(', ')))
  }

  return {
    changes,
    problemOf: problemOfField,
    /** Whether the user has tried to save: problems are then shown even while typing. */
    wasSaveTried,
    isSaving: saveMutation.isPending,
    /** The error of saving; null if there is none, or if it is about a single field. */
    error: refusedName ? null : saveMutation.error,
    save,
    discard() {
      setSaveTried(false)
      saveMutation.reset()
      discardDrafts(names)
    },
  }
}

/** The state of one group of settings: drafts, problems and saving. */
import { useState } from 'react'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import { ApiError } from '../../api/error.ts'
import type { SettingsAnswer } from '../../api/routes.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { useSentence } from '../../ui/error-notice.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { changesOf, dropDrafts, inputOf, useDrafts } from './drafts.ts'
import { GROUPS, type Group } from './groups.ts'
import { problemOf, type Rules } from './rules.ts'
import { useSave } from './use-save.ts'
import { settingWords, words } from './words.ts'

export type GroupState = ReturnType<typeof useGroup>

export function useGroup(group: Group, settings: SettingsAnswer, rules: Rules | null) {
  const w = useWords(words)
  const labels = useWords(settingWords)
  const { language } = useLanguage()
  const notify = useNotify()
  const drafts = useDrafts()
  const saving = useSave()
  const sentence = useSentence()
  const [insist, setInsist] = useState(false)
  const names: readonly SettingName[] = GROUPS[group]
  const changes = changesOf(settings, drafts, names, language === 'de')

  /** The field whose value the service refused. */
  const refused = saving.error instanceof ApiError ? saving.error.field : undefined
  /** The message of the service about a field, only while the field still has the value that was sent. */
  const refusal = (name: SettingName) =>
    refused === name && saving.variables?.[name] === drafts[name] && saving.error
      ? sentence(saving.error)
      : null
  const problem = (name: SettingName) => problemOf(rules, name, drafts[name], language) ?? refusal(name)

  async function save(): Promise<void> {
    setInsist(true)
    const wrong = names.find(name => problemOf(rules, name, drafts[name], language))
    if (wrong) {
      document.getElementById(`setting-${wrong}`)?.focus()
      return
    }
    try {
      await saving.mutateAsync(inputOf(changes))
    } catch {
      // The error is shown beside the field or below the group, and the drafts are kept.
      return
    }
    dropDrafts(names)
    setInsist(false)
    notify.done(w.saved(changes.map(({ name }) => labels[name]).join(', ')))
  }

  return {
    changes,
    problemOf: problem,
    /** Whether saving was tried: problems are then shown even while typing. */
    insist,
    isSaving: saving.isPending,
    /** The error of saving, if it belongs to no single field. */
    error: refused ? null : saving.error,
    save,
    discard() {
      setInsist(false)
      saving.reset()
      dropDrafts(names)
    },
  }
}

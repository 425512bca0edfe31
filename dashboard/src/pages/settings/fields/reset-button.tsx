/**
 * A button that removes the saved value of a setting at once, so that the value from the environment or the
 * default applies. The removal can be undone for some seconds.
 */
import { IconRestore } from '@tabler/icons-react'
import type { SettingName } from '../../../../../src/contract/service/settings.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useWords } from '../../../language/language.tsx'
import { IconButton } from '../../../ui/buttons.tsx'
import { useNotify } from '../../../ui/notify.tsx'
import { currentValueOf, discardDrafts } from '../drafts.ts'
import { useSaveSettings } from '../use-save.ts'
import { settingWords, words } from '../words.ts'

/** Rendered only if the setting has a saved value. */
export function ResetButton({ name, settings }: { name: SettingName; settings: SettingsAnswer }) {
  const w = useWords(words)
  const label = useWords(settingWords)[name]
  const notify = useNotify()
  const saveMutation = useSaveSettings()
  if (settings[name].quelle !== 'gespeichert') return null
  const valueBeforeReset = currentValueOf(settings, name)
  const reset = async () => {
    try {
      await saveMutation.mutateAsync({ [name]: null })
    } catch (error) {
      notify.showError(error as Error)
      return
    }
    discardDrafts([name])
    notify.offerUndo(w.resetDone(label), () => saveMutation.mutateAsync({ [name]: valueBeforeReset }))
  }
  return (
    <IconButton
      icon={IconRestore}
      label={w.resetHint(label)}
      size="lg"
      loading={saveMutation.isPending}
      onClick={reset}
    />
  )
}

/** A field for a secret. Once saved, a secret is never shown; it can only be replaced or removed. */
import { Badge, Button, Group, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SecretSettingName } from '../../../../../src/contract/service/secret-settings.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useWords } from '../../../language/language.tsx'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { useDialog } from '../../../ui/forms/dialog.tsx'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { useNotify } from '../../../ui/notify.tsx'
import { discardDrafts, setDraft, useDrafts } from '../drafts.ts'
import { useSaveSettings } from '../use-save.ts'
import { settingExplanations, settingWords } from '../words.ts'
import { removalHints, secretExamples, secretWords } from './words.ts'

export interface SecretFieldProps {
  name: SecretSettingName
  settings: SettingsAnswer
  problem: string | null
  /**
   * Renders further buttons. `draft` is the content of the text field; undefined while there is no text
   * field.
   */
  extraButtons?: (draft: string | undefined) => ReactNode
}

export function SecretField({ name, settings, problem, extraButtons }: SecretFieldProps) {
  const w = useWords(secretWords)
  const label = useWords(settingWords)[name]
  const explanation = useWords(settingExplanations)[name]
  const example = useWords(secretExamples)[name]
  const { gesetzt, quelle } = settings[name]
  const draft = useDrafts()[name] as string | undefined
  const isEditing = draft !== undefined || !gesetzt
  const id = `setting-${name}`
  return (
    <SettingRow label={label} description={explanation} source={quelle} {...(isEditing && { htmlFor: id })}>
      <Stack gap="xs" align="stretch">
        {isEditing && (
          <TextInput
            id={id}
            value={draft ?? ''}
            placeholder={example}
            error={problem}
            autoComplete="off"
            spellCheck={false}
            // Gets the focus after a click on „Ersetzen“ (replace), which opens the field if there is a
            // secret already.
            autoFocus={gesetzt}
            onChange={event => setDraft(name, event.currentTarget.value)}
          />
        )}
        <Group gap="xs">
          {!isEditing && (
            <Badge variant="light" size="lg" tt="none" fw={500}>
              {w.set}
            </Badge>
          )}
          {gesetzt && (
            <ReplaceButtons
              name={name}
              label={label}
              isEditing={isEditing}
              canRemove={quelle === 'gespeichert'}
            />
          )}
          {extraButtons?.(isEditing ? (draft ?? '') : undefined)}
        </Group>
      </Stack>
    </SettingRow>
  )
}

interface ReplaceButtonsProps {
  name: SecretSettingName
  label: string
  isEditing: boolean
  canRemove: boolean
}

function ReplaceButtons({ name, label, isEditing, canRemove }: ReplaceButtonsProps) {
  const w = useWords(secretWords)
  const hint = useWords(removalHints)[name]
  const notify = useNotify()
  const saveMutation = useSaveSettings()
  const removalDialog = useDialog()
  const remove = async () => {
    await saveMutation.mutateAsync({ [name]: null })
    discardDrafts([name])
    notify.showSuccess(w.removed(label))
  }
  if (isEditing) {
    return (
      <Button variant="default" onClick={() => discardDrafts([name])}>
        {w.keep}
      </Button>
    )
  }
  return (
    <>
      <Button variant="default" onClick={() => setDraft(name, '')}>
        {w.replace}
      </Button>
      {canRemove && (
        <Button variant="default" onClick={() => removalDialog.open(true)}>
          {w.remove}
        </Button>
      )}
      <ConfirmDialog
        {...removalDialog}
        title={w.removeTitle(label)}
        confirmLabel={w.remove}
        onConfirm={remove}
      >
        {hint}
      </ConfirmDialog>
    </>
  )
}

/** The webhook's address: never shown once saved, only replaced or removed; with a test message. */
import { Badge, Button, Group, Stack, TextInput } from '@mantine/core'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useWords } from '../../../language/language.tsx'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { useDialog } from '../../../ui/forms/dialog.tsx'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { useNotify } from '../../../ui/notify.tsx'
import { dropDrafts, setDraft, useDrafts } from '../drafts.ts'
import { useSave } from '../use-save.ts'
import { explanations, settingWords } from '../words.ts'
import { WebhookTest } from './webhook-test.tsx'
import { webhookWords } from './words.ts'

const NAME = 'WEBHOOK_URL'
const ID = `setting-${NAME}`

export function WebhookField({ settings, problem }: { settings: SettingsAnswer; problem: string | null }) {
  const w = useWords(webhookWords)
  const label = useWords(settingWords)[NAME]
  const explanation = useWords(explanations)[NAME]
  const { gesetzt, quelle } = settings[NAME]
  const draft = useDrafts()[NAME] as string | undefined
  const isTyped = draft !== undefined || !gesetzt
  const save = useSave()
  const saveTyped = async () => {
    await save.mutateAsync({ [NAME]: draft ?? '' })
    dropDrafts([NAME])
  }
  return (
    <SettingRow label={label} description={explanation} source={quelle} {...(isTyped && { htmlFor: ID })}>
      <Stack gap="xs" align="stretch">
        {isTyped && (
          <TextInput
            id={ID}
            value={draft ?? ''}
            placeholder={w.example}
            error={problem}
            autoComplete="off"
            spellCheck={false}
            inputMode="url"
            // A button opened this field, so it gets the focus.
            autoFocus={gesetzt}
            onChange={event => setDraft(NAME, event.currentTarget.value)}
          />
        )}
        <Group gap="xs">
          {!isTyped && (
            <Badge variant="light" size="lg" tt="none" fw={500}>
              {w.set}
            </Badge>
          )}
          {gesetzt && <Replacing typed={isTyped} canRemove={quelle === 'gespeichert'} />}
          <WebhookTest
            save={isTyped ? saveTyped : undefined}
            disabled={problem !== null || (isTyped && !draft?.trim())}
          />
        </Group>
      </Stack>
    </SettingRow>
  )
}

function Replacing({ typed, canRemove }: { typed: boolean; canRemove: boolean }) {
  const w = useWords(webhookWords)
  const notify = useNotify()
  const save = useSave()
  const question = useDialog()
  const remove = async () => {
    await save.mutateAsync({ [NAME]: null })
    dropDrafts([NAME])
    notify.done(w.removed)
  }
  if (typed) {
    return (
      <Button variant="default" onClick={() => dropDrafts([NAME])}>
        {w.keep}
      </Button>
    )
  }
  return (
    <>
      <Button variant="default" onClick={() => setDraft(NAME, '')}>
        {w.replace}
      </Button>
      {canRemove && (
        <Button variant="default" onClick={() => question.open(true)}>
          {w.remove}
        </Button>
      )}
      <ConfirmDialog {...question} title={w.removeTitle} confirm={w.remove} onConfirm={remove}>
        {w.removeHint}
      </ConfirmDialog>
    </>
  )
}

/** The field for the address of the webhook, with a test message. */
import type { SettingsAnswer } from '../../../api/routes.ts'
import { discardDrafts } from '../drafts.ts'
import { useSaveSettings } from '../use-save.ts'
import { SecretField } from './secret-field.tsx'
import { WebhookTest } from './webhook-test.tsx'

const NAME = 'WEBHOOK_URL'

export function WebhookField({ settings, problem }: { settings: SettingsAnswer; problem: string | null }) {
  const save = useSaveSettings()
  const saveTyped = async (draft: string) => {
    await save.mutateAsync({ [NAME]: draft })
    discardDrafts([NAME])
  }
  return (
    <SecretField
      name={NAME}
      settings={settings}
      problem={problem}
      extraButtons={draft => (
        <WebhookTest
          save={draft === undefined ? undefined : () => saveTyped(draft)}
          disabled={problem !== null || draft?.trim() === ''}
        />
      )}
    />
  )
}

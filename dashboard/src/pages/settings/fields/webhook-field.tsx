/** The field for the address of the webhook, with a button that sends a test message. */
import type { SettingsAnswer } from '../../../api/routes.ts'
import { discardDrafts } from '../drafts.ts'
import { useSaveSettings } from '../use-save.ts'
import { SecretField } from './secret-field.tsx'
import { WebhookTest } from './webhook-test.tsx'

const SETTING_NAME = 'WEBHOOK_URL'

export function WebhookField({ settings, problem }: { settings: SettingsAnswer; problem: string | null }) {
  const saveMutation = useSaveSettings()
  const saveTypedAddress = async (draft: string) => {
    await saveMutation.mutateAsync({ [SETTING_NAME]: draft })
    discardDrafts([SETTING_NAME])
  }
  return (
    <SecretField
      name={SETTING_NAME}
      settings={settings}
      problem={problem}
      extraButtons={draft => (
        <WebhookTest
          save={draft === undefined ? undefined : () => saveTypedAddress(draft)}
          disabled={problem !== null || draft?.trim() === ''}
        />
      )}
    />
  )
}

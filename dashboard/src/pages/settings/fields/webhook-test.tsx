/**
 * A button that sends a test message. The service tests the saved address, so a typed address is saved first.
 */
import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { post } from '../../../api/client.ts'
import type { PostRoutes } from '../../../api/routes.ts'
import { useWords } from '../../../language/language.tsx'
import { useServiceText } from '../../../language/service-text.ts'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { webhookWords } from './words.ts'

export interface WebhookTestProps {
  /** Saves the content of the text field; undefined while there is no text field. */
  save: (() => Promise<unknown>) | undefined
  disabled: boolean
}

export function WebhookTest({ save, disabled }: WebhookTestProps) {
  const w = useWords(webhookWords)
  const testMutation = useMutation({
    mutationFn: async () => {
      await save?.()
      return post('webhook/test', { body: {} })
    },
  })
  return (
    <>
      <Button
        variant="default"
        disabled={disabled}
        loading={testMutation.isPending}
        onClick={() => testMutation.mutate()}
      >
        {save ? w.saveAndTest : w.test}
      </Button>
      {(testMutation.error || testMutation.data) && (
        <div style={{ width: '100%' }}>
          <ErrorNotice error={testMutation.error} />
          {testMutation.data && <TestOutcome {...testMutation.data} />}
        </div>
      )}
    </>
  )
}

function TestOutcome({ ok, status, antwort, code }: PostRoutes['webhook/test']['answer']) {
  const w = useWords(webhookWords)
  const translate = useServiceText()
  const OutcomeIcon = ok ? IconCircleCheck : IconAlertTriangle
  const outcomeText = status === null ? w.notArrived : ok ? w.arrived(status) : w.refused(status)
  return (
    <Alert
      role="status"
      variant="light"
      color={ok ? 'green' : 'yellow'}
      icon={<OutcomeIcon color={ok ? 'var(--fundus-good)' : 'var(--fundus-warn)'} aria-hidden />}
    >
      <Stack gap={4} c="var(--mantine-color-text)">
        <Text size="sm">{outcomeText}</Text>
        {status === null && <Text size="sm">{translate(antwort, code)}</Text>}
        {status !== null && antwort !== '' && (
          <>
            <DimmedText>{w.answer}</DimmedText>
            <Code block>{translate(antwort, code)}</Code>
          </>
        )}
      </Stack>
    </Alert>
  )
}

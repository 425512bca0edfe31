/** One message at once, to the address that is typed or else the saved one, and what came back. */
import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { post } from '../../../api/client.ts'
import type { PostRoutes } from '../../../api/routes.ts'
import { useWords } from '../../../language/language.tsx'
import { ErrorNotice } from '../../../parts/error-notice.tsx'
import { webhookWords } from './words.ts'

export function WebhookTest({ url, disabled }: { url: string | undefined; disabled: boolean }) {
  const w = useWords(webhookWords)
  const test = useMutation({ mutationFn: () => post('webhook/test', { body: url ? { url } : {} }) })
  return (
    <>
      <Button variant="default" disabled={disabled} loading={test.isPending} onClick={() => test.mutate()}>
        {w.test}
      </Button>
      {(test.error || test.data) && (
        <div style={{ width: '100%' }}>
          <ErrorNotice error={test.error} />
          {test.data && <Outcome {...test.data} />}
        </div>
      )}
    </>
  )
}

function Outcome({ ok, status, antwort }: PostRoutes['webhook/test']['answer']) {
  const w = useWords(webhookWords)
  const Sign = ok ? IconCircleCheck : IconAlertTriangle
  const sentence = status === null ? w.silent : ok ? w.arrived(status) : w.refused(status)
  return (
    <Alert
      role="status"
      variant="light"
      color={ok ? 'green' : 'yellow'}
      icon={<Sign color={ok ? 'var(--fundus-good)' : 'var(--fundus-warn)'} aria-hidden />}
    >
      <Stack gap={4} c="var(--mantine-color-text)">
        <Text size="sm">{sentence}</Text>
        {status === null && <Text size="sm">{antwort}</Text>}
        {status !== null && antwort !== '' && (
          <>
            <Text size="sm" c="dimmed">
              {w.answer}
            </Text>
            <Code block>{antwort}</Code>
          </>
        )}
      </Stack>
    </Alert>
  )
}

/**
 * An error message in the words of the service, shown next to the control that caused the error, with an
 * optional retry button.
 */
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { ApiError, ConnectionError, SentenceError } from '../api/error.ts'
import { useWords } from '../language/language.tsx'
import { useServiceText } from '../language/service-text.ts'
import { words } from './words.ts'

export function ErrorNotice({ error, onRetry }: { error: Error | null | undefined; onRetry?: () => void }) {
  const w = useWords(words)
  const sentenceOf = useSentence()
  if (!error) return null
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertCircle aria-hidden />}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" c="var(--mantine-color-text)">
          {sentenceOf(error)}
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {w.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Returns a function that gives the sentence about an error, for use outside of an `ErrorNotice`. */
export function useSentence(): (error: Error) => string {
  const w = useWords(words)
  const translate = useServiceText()
  return error => {
    if (error instanceof ApiError) return translate(error.sentence, error.code)
    if (error instanceof SentenceError) return error.message
    return error instanceof ConnectionError ? w.unreachable : w.unexpected
  }
}

/**
 * An error message with an optional retry button, shown where the error arose: beside a control, or in place
 * of content that could not be loaded.
 */
import { IconAlertCircle } from '@tabler/icons-react'
import { ApiError, ConnectionError, SentenceError } from '../api/error.ts'
import { useWords } from '../language/language.tsx'
import { useServiceText } from '../language/service-text.ts'
import { Button } from './native/button.tsx'
import { Notice } from './native/notice.tsx'
import { words } from './words.ts'

export function ErrorNotice({ error, onRetry }: { error: Error | null | undefined; onRetry?: () => void }) {
  const w = useWords(words)
  const errorTextOf = useErrorText()
  if (!error) return null
  return (
    <Notice role="alert" tone="bad" icon={<IconAlertCircle aria-hidden />}>
      {errorTextOf(error)}
      {onRetry && (
        <Button size="small" variant="default" onClick={onRetry}>
          {w.retry}
        </Button>
      )}
    </Notice>
  )
}

/**
 * Returns a function that gives the sentence about an error. For places that show it without an
 * `ErrorNotice`.
 */
export function useErrorText(): (error: Error) => string {
  const w = useWords(words)
  const translate = useServiceText()
  return error => {
    if (error instanceof ApiError) return translate(error.sentence, error.code)
    if (error instanceof SentenceError) return error.message
    return error instanceof ConnectionError ? w.unreachable : w.unexpected
  }
}

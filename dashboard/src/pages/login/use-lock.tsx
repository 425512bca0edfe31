/** Locks a sign-in form after too many failed attempts, and shows how many seconds the lock still lasts. */
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { useWords } from '../../language/language.tsx'
import { Notice } from '../../ui/native/notice.tsx'
import { useCountdown } from '../../ui/use-countdown.ts'
import { words } from './words.ts'

export function useSignInLock() {
  const w = useWords(words)
  const [lockedUntil, setLockedUntil] = useState<number | null>(null)
  const secondsLeft = useCountdown(lockedUntil)
  return {
    isLocked: secondsLeft > 0,
    /**
     * Calls `send`. If the service asks the client to wait, as it does after too many failed attempts, the
     * form is locked for that time.
     */
    async attempt<T>(send: () => Promise<T>): Promise<T> {
      try {
        return await send()
      } catch (error) {
        const waitMs = error instanceof ApiError ? error.retryAfter : null
        if (waitMs !== null) setLockedUntil(performance.now() + waitMs)
        throw error
      }
    },
    /**
     * What the form shows after an attempt: the error of the attempt. If the service refused the attempt
     * because of the lock, a notice instead, which tells how long the lock still lasts or that it is over.
     */
    errorOrNotice(error: Error | null) {
      if (!(error instanceof ApiError && error.status === 429)) return { error, notice: null }
      const notice = (
        <Notice role="alert" tone={secondsLeft > 0 ? 'bad' : 'quiet'} icon={<IconLock aria-hidden />}>
          {secondsLeft > 0 ? w.locked(w.seconds(secondsLeft, secondsLeft)) : w.unlocked}
        </Notice>
      )
      return { error: null, notice }
    },
  }
}

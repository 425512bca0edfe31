/** The lock of signing in after too many failed attempts: shows how long it lasts. */
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
  const seconds = useCountdown(lockedUntil)
  return {
    isLocked: seconds > 0,
    /** Sends the attempt. If the service refuses it because of a lock, the lock is shown. */
    async attempt<T>(send: () => Promise<T>): Promise<T> {
      try {
        return await send()
      } catch (error) {
        const wait = error instanceof ApiError ? error.retryAfter : null
        if (wait !== null) setLockedUntil(performance.now() + wait)
        throw error
      }
    },
    /** The error that the form shows, and the notice that replaces it while signing in is locked. */
    shown(error: Error | null) {
      if (!(error instanceof ApiError && error.status === 429)) return { error, notice: null }
      const notice = (
        <Notice role="alert" tone={seconds > 0 ? 'bad' : 'quiet'} icon={<IconLock aria-hidden />}>
          {seconds > 0 ? w.locked(w.seconds(seconds, seconds)) : w.unlocked}
        </Notice>
      )
      return { error: null, notice }
    },
  }
}

/**
 * The dialog for signing in again, over the page whose session has ended. The page stays mounted, so nothing
 * that was typed is lost. If another person signs in, `renewSession` loads a new document; until then the
 * page behind the dialog is blurred, so that this person cannot read it.
 */
import { Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchSetup } from '../../api/setup.ts'
import { useWords } from '../../language/language.tsx'
import { useObservable } from '../../state/observable.ts'
import { onSignIn, owner, renewSession } from '../../state/session.ts'
import { Stack } from '../../ui/native/layout.tsx'
import { uploadsState } from '../../uploads/uploads.ts'
import { SignIn } from './sign-in.tsx'
import { words } from './words.ts'

/** The z-index of the dialog, above every dialog of a page. */
const ABOVE_ALL = 1000

export default function SignInDialog() {
  const w = useWords(words)
  const { active } = useObservable(uploadsState)
  const queries = useQueryClient()
  useEffect(() => fetchSetup(), [])
  useEffect(() => {
    // Refetches the session. Its answer ends this dialog (`resumeSession`).
    const look = () => void queries.refetchQueries({ queryKey: ['ich'] })
    const stop = onSignIn(look)
    // Somebody may have signed in in another tab, for example at a provider.
    window.addEventListener('focus', look)
    return () => {
      stop()
      window.removeEventListener('focus', look)
    }
  }, [queries])
  return (
    <SignIn
      person={owner.get() ?? ''}
      keepsPage
      onSignedIn={renewSession}
      frame={({ title, description, children }) => (
        <Modal
          opened
          onClose={() => {}}
          title={title}
          withCloseButton={false}
          closeOnClickOutside={false}
          closeOnEscape={false}
          zIndex={ABOVE_ALL}
          overlayProps={{ blur: 12 }}
        >
          <Stack>
            <Text>{description ?? `${w.ended}${active > 0 ? ` ${w.uploadsWait}` : ''}`}</Text>
            {children}
          </Stack>
        </Modal>
      )}
    />
  )
}

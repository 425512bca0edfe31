/**
 * The dialog for signing in again, over the page whose session has ended. The page stays mounted, so nothing
 * that was typed is lost. It is blurred behind the dialog, so that another person who wants to sign in cannot
 * read it. If another person signs in, `renewSession` loads a new document.
 */
import { Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchSetup } from '../../api/setup.ts'
import { useWords } from '../../language/language.tsx'
import { useObservable } from '../../state/observable.ts'
import { onSignIn, renewSession, sessionOwner } from '../../state/session.ts'
import { Stack } from '../../ui/native/layout.tsx'
import { uploadsState } from '../../uploads/uploads.ts'
import { SignIn } from './sign-in.tsx'
import { words } from './words.ts'

/** Above every dialog of a page. */
const DIALOG_Z_INDEX = 1000

export default function SignInDialog() {
  const w = useWords(words)
  const { activeCount } = useObservable(uploadsState)
  const queryClient = useQueryClient()
  useEffect(() => fetchSetup(), [])
  useEffect(() => {
    // Refetches the session. If it is valid again, the answer ends this dialog (`resumeSession`).
    const refetchSession = () => void queryClient.refetchQueries({ queryKey: ['ich'] })
    const unsubscribe = onSignIn(refetchSession)
    // Somebody may have signed in in another tab, for example at a provider.
    window.addEventListener('focus', refetchSession)
    return () => {
      unsubscribe()
      window.removeEventListener('focus', refetchSession)
    }
  }, [queryClient])
  return (
    <SignIn
      initialUserName={sessionOwner.get() ?? ''}
      opensNewTab
      onSignedIn={renewSession}
      renderFrame={({ title, description, children }) => (
        <Modal
          opened
          onClose={() => {}}
          title={title}
          withCloseButton={false}
          closeOnClickOutside={false}
          closeOnEscape={false}
          zIndex={DIALOG_Z_INDEX}
          overlayProps={{ blur: 12 }}
        >
          <Stack>
            <Text>{description ?? `${w.sessionEnded}${activeCount > 0 ? ` ${w.uploadsWait}` : ''}`}</Text>
            {children}
          </Stack>
        </Modal>
      )}
    />
  )
}

/** One's own account. Each section is a file of its own. */
import { useWords } from '../../language/language.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import classes from './account.module.css'
import { PasskeysSection } from './factors/passkeys-section.tsx'
import { TotpSection } from './factors/totp-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { words } from './words.ts'

export default function AccountPage() {
  const w = useWords(words)
  return (
    <>
      <PageHeader title={w.ownAccount} description={w.description} />
      <div className={classes.page}>
        <PasswordSection />
        <TotpSection />
        <PasskeysSection />
        <SessionsSection />
      </div>
    </>
  )
}

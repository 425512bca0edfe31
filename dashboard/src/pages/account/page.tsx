/**
 * The page of the user’s own account. For an account that signs in at an external provider, it shows only the
 * sessions and a note that the provider manages password, second factor and passkeys.
 */
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { TitledBox } from '../../ui/lists/titled-box.tsx'
import classes from './account.module.css'
import { PasskeysSection } from './factors/passkeys-section.tsx'
import { TotpSection } from './factors/totp-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { words } from './words.ts'

export default function AccountPage() {
  const w = useWords(words)
  const { data: account } = useGet('ich')
  return (
    <>
      <PageHeader title={w.ownAccount} description={w.description} />
      <div className={classes.page}>
        {account?.extern ? (
          <TitledBox title={w.externalTitle}>
            <DimmedText>{w.externalHint}</DimmedText>
          </TitledBox>
        ) : (
          <>
            <PasswordSection />
            <TotpSection />
            <PasskeysSection />
          </>
        )}
        <SessionsSection />
      </div>
    </>
  )
}

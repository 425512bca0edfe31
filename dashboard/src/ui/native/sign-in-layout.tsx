/**
 * The layout of the sign-in pages (login, set-up, invitation, second factor): a box and the language switch.
 */
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useLanguage } from '../../language/language.tsx'
import icon from '../icon.svg'
import { Button } from './button.tsx'
import { Stack } from './layout.tsx'
import classes from './sign-in-layout.module.css'

export interface SignInLayoutProps {
  title: string
  description?: ReactNode
  children: ReactNode
}

export function SignInLayout({ title, description, children }: SignInLayoutProps) {
  const { language, setLanguage } = useLanguage()
  const otherLanguage = language === 'de' ? 'en' : 'de'
  useDocumentTitle(`${title} – Fundus`)
  return (
    <main className={classes.room}>
      <div className={classes.box}>
        <Stack gap="lg">
          <div className={classes.brand}>
            <img src={icon} alt="" width={40} height={40} />
            Fundus
          </div>
          <div>
            <h1>{title}</h1>
            {description && <p>{description}</p>}
          </div>
          {children}
        </Stack>
      </div>
      <Button variant="subtle" size="compact" lang={otherLanguage} onClick={() => setLanguage(otherLanguage)}>
        {otherLanguage === 'en' ? 'English' : 'Deutsch'}
      </Button>
    </main>
  )
}

/**
 * The layout of the pages before the login (login, set-up, invitation, second factor): one box, and the
 * language switch.
 */
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import icon from '../app/icon.svg'
import { useLanguage } from '../language/language.tsx'
import { Panel } from '../ui/lists/panel.tsx'
import classes from './sign-in-layout.module.css'

export interface SignInLayoutProps {
  title: string
  description?: ReactNode
  children: ReactNode
}

export function SignInLayout({ title, description, children }: SignInLayoutProps) {
  const { language, speak } = useLanguage()
  const other = language === 'de' ? 'en' : 'de'
  useDocumentTitle(`${title} – Fundus`)
  return (
    <main className={classes.room}>
      <Panel className={classes.box ?? ''} p="xl">
        <Stack gap="lg">
          <Group gap="sm">
            <img src={icon} alt="" width={40} height={40} />
            <Text fw={600} fz="lg">
              Fundus
            </Text>
          </Group>
          <div>
            <Title order={1}>{title}</Title>
            {description && (
              <Text c="dimmed" mt={4}>
                {description}
              </Text>
            )}
          </div>
          {children}
        </Stack>
      </Panel>
      <Button variant="subtle" color="gray" size="compact-sm" lang={other} onClick={() => speak(other)}>
        {other === 'en' ? 'English' : 'Deutsch'}
      </Button>
    </main>
  )
}

/** The account menu: own account, language, appearance, shortcuts, log out. */
import { ActionIcon, type ElementProps, Menu, type MenuItemProps, useMantineColorScheme } from '@mantine/core'
import {
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { useGet } from '../api/use-get.ts'
import { useLanguage, useWords } from '../language/language.tsx'
import { PAGES } from '../state/addresses.ts'
import { signOut } from '../state/session.ts'
import { MenuEntry } from '../ui/buttons.tsx'
import { useNotify } from '../ui/notify.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'
import { words } from './words.ts'

export function AccountMenu() {
  const w = useWords(words)
  const { data: session } = useGet('ich')
  const [isSheetOpen, setSheetOpen] = useState(false)
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={w.account}>
            <IconUserCircle size={22} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {session && <Menu.Label>{w.signedInAs(session.benutzer)}</Menu.Label>}
          <MenuEntry icon={IconUserCircle} label={w.ownAccount} href={PAGES.account} page />
          <MenuEntry icon={IconKeyboard} label={w.keyboard} onClick={() => setSheetOpen(true)} />
          <Menu.Divider />
          <LanguageItems />
          <Menu.Divider />
          <SchemeItems />
          <Menu.Divider />
          <LogOutItem />
        </Menu.Dropdown>
      </Menu>
      <ShortcutSheet opened={isSheetOpen} onChange={setSheetOpen} />
    </>
  )
}

/** Each language with its name in that language. */
const LANGUAGE_NAMES = [
  ['de', 'Deutsch'],
  ['en', 'English'],
] as const

function LanguageItems() {
  const w = useWords(words)
  const { language, setLanguage } = useLanguage()
  return (
    <>
      <Menu.Label>{w.language}</Menu.Label>
      {LANGUAGE_NAMES.map(([code, name]) => (
        <ChoiceItem key={code} lang={code} isChosen={language === code} onClick={() => setLanguage(code)}>
          {name}
        </ChoiceItem>
      ))}
    </>
  )
}

function SchemeItems() {
  const w = useWords(words)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemes = [
    ['light', w.light, IconSun],
    ['dark', w.dark, IconMoon],
    ['auto', w.system, IconDeviceDesktop],
  ] as const
  return (
    <>
      <Menu.Label>{w.scheme}</Menu.Label>
      {schemes.map(([scheme, name, Icon]) => (
        <ChoiceItem
          key={scheme}
          leftSection={<Icon size={18} aria-hidden />}
          isChosen={colorScheme === scheme}
          onClick={() => setColorScheme(scheme)}
        >
          {name}
        </ChoiceItem>
      ))}
    </>
  )
}

type ChoiceProps = MenuItemProps & ElementProps<'button', keyof MenuItemProps> & { isChosen: boolean }

/** One of several mutually exclusive menu entries. Choosing it does not close the menu. */
function ChoiceItem({ isChosen, ...rest }: ChoiceProps) {
  return (
    <Menu.Item
      aria-current={isChosen}
      rightSection={isChosen && <IconCheck size={16} aria-hidden />}
      closeMenuOnClick={false}
      {...rest}
    />
  )
}

function LogOutItem() {
  const w = useWords(words)
  const queryClient = useQueryClient()
  const notify = useNotify()
  const logOut = useMutation({
    async mutationFn() {
      // Pending requests are cancelled: after the logout they would fail with 401.
      await queryClient.cancelQueries()
      return post('logout')
    },
    onSuccess: signOut,
    onError(error) {
      // The session had already ended.
      if (error instanceof ApiError && error.status === 401) signOut()
      else notify.showError(error)
    },
  })
  return <MenuEntry icon={IconLogout} label={w.logOut} onClick={() => logOut.mutate()} />
}

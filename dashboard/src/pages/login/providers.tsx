/** Buttons for signing in with an external provider. */
import { IconBrandDiscord, IconLogin2 } from '@tabler/icons-react'
import { useSearch } from 'wouter'
import { addressOf } from '../../api/client.ts'
import { useSetup } from '../../api/setup.ts'
import { useWords } from '../../language/language.tsx'
import { returnAddress } from '../../state/return-address.ts'
import { ButtonLink } from '../../ui/native/button.tsx'
import { Divider, Stack } from '../../ui/native/layout.tsx'
import { words } from './words.ts'

export function ProviderButtons({ opensNewTab }: { opensNewTab: boolean }) {
  const w = useWords(words)
  const providers = useSetup()?.anmeldung.anbieter ?? []
  const zurueck = returnAddress(useSearch())
  if (providers.length === 0) return null
  return (
    <Stack gap="sm">
      <Divider label={w.or} />
      {providers.map(({ id, name }) => {
        const ProviderIcon = id === 'discord' ? IconBrandDiscord : IconLogin2
        return (
          <ButtonLink
            key={id}
            href={addressOf(`login/extern/${id}`, { zurueck })}
            {...(opensNewTab && { target: '_blank' })}
            variant="default"
            icon={<ProviderIcon size={18} aria-hidden />}
          >
            {w.signInWith(name)}
          </ButtonLink>
        )
      })}
    </Stack>
  )
}

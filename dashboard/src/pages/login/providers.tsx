/** Buttons for signing in with an external provider. */
import { Button, Divider, Stack } from '@mantine/core'
import { IconBrandDiscord, IconLogin2 } from '@tabler/icons-react'
import { useSearch } from 'wouter'
import { addressOf } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { returnAddress } from '../../state/return-address.ts'
import { words } from './words.ts'

export function ProviderButtons({ keepsPage }: { keepsPage: boolean }) {
  const w = useWords(words)
  const { data } = useGet('einrichtung')
  const zurueck = returnAddress(useSearch())
  const providers = data?.anmeldung.anbieter ?? []
  if (providers.length === 0) return null
  return (
    <Stack gap="sm">
      <Divider label={w.or} />
      {providers.map(({ id, name }) => {
        const Sign = id === 'discord' ? IconBrandDiscord : IconLogin2
        return (
          <Button
            key={id}
            component="a"
            href={addressOf(`login/extern/${id}`, { zurueck })}
            {...(keepsPage && { target: '_blank' })}
            variant="default"
            leftSection={<Sign size={18} aria-hidden />}
          >
            {w.with(name)}
          </Button>
        )
      })}
    </Stack>
  )
}

/**
 * The redirect address to enter at the provider, and a trial sign-in that shows which rights the person who
 * signs in would get.
 */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { addressOf, post } from '../../../api/client.ts'
import type { PostRoutes, SettingsAnswer } from '../../../api/routes.ts'
import { useWords } from '../../../language/language.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { roleWords } from '../../../ui/words.ts'
import { signInTestWords } from './words.ts'

export type ProviderId = 'oidc' | 'discord'

export interface SignInTestProps {
  provider: ProviderId
  settings: SettingsAnswer
  /** Whether there is unsaved input, which the trial does not take into account. */
  hasChanges: boolean
}

export function SignInTest({ provider, settings, hasChanges }: SignInTestProps) {
  const w = useWords(signInTestWords)
  const providerAnswer = useProviderAnswer(provider)
  const testQuery = useQuery({
    queryKey: ['trial', provider, providerAnswer],
    queryFn: () => post(`login/extern/${provider}/probe`, { body: { antwort: providerAnswer ?? '' } }),
    enabled: providerAnswer !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const route = `login/extern/${provider}`
  const returnAddress = `${settings.PUBLIC_URL.wert}${addressOf(`${route}/zurueck`)}`
  return (
    <>
      <SettingRow label={w.returnAddress} description={w.returnHint}>
        <Group gap={4} wrap="nowrap" align="center">
          <Code style={{ overflowWrap: 'anywhere' }}>{returnAddress}</Code>
          <CopyButton value={returnAddress} showsOnlyIcon />
        </Group>
      </SettingRow>
      <SettingRow label={w.try} description={w.tryHint}>
        <Stack gap="xs" align="flex-start">
          <Button
            component="a"
            variant="default"
            href={addressOf(route, { probe: 1 })}
            data-disabled={hasChanges}
            aria-disabled={hasChanges}
            onClick={event => hasChanges && event.preventDefault()}
          >
            {w.try}
          </Button>
          {hasChanges && <DimmedText>{w.saveFirst}</DimmedText>}
          <ErrorNotice error={testQuery.error} />
          {testQuery.data && <SignInTestOutcome {...testQuery.data} />}
        </Stack>
      </SettingRow>
    </>
  )
}

/**
 * The provider’s answer to a trial sign-in, taken from the address of this page; null if there is none. The
 * answer is removed from the address, because it is valid only once.
 */
function useProviderAnswer(provider: ProviderId): string | null {
  const [answer] = useState(() => {
    const queryParameters = new URLSearchParams(location.search)
    return queryParameters.get('probe') === provider ? queryParameters.get('antwort') : null
  })
  useEffect(() => {
    if (answer !== null) history.replaceState(history.state, '', `${location.pathname}${location.hash}`)
  }, [answer])
  return answer
}

type SignInTestAnswer = PostRoutes['login/extern/oidc/probe']['answer']

function SignInTestOutcome({ benutzer, ansprueche, regel, rolle, ordner }: SignInTestAnswer) {
  const w = useWords(signInTestWords)
  const roleNames = useWords(roleWords)
  const isAdmitted = regel !== null && rolle !== null
  const OutcomeIcon = isAdmitted ? IconCircleCheck : IconAlertTriangle
  const folders = ordner?.join(', ') ?? w.allFolders
  return (
    <Alert
      role="status"
      variant="light"
      color={isAdmitted ? 'green' : 'yellow'}
      icon={<OutcomeIcon color={isAdmitted ? 'var(--fundus-good)' : 'var(--fundus-warn)'} aria-hidden />}
      w="100%"
    >
      <Stack gap={4} c="var(--mantine-color-text)">
        <Text size="sm">
          {isAdmitted ? w.matched(benutzer, regel, roleNames[rolle], folders) : w.unmatched(benutzer)}
        </Text>
        <DimmedText>{w.answer}</DimmedText>
        <Code block>{JSON.stringify(ansprueche, null, 2)}</Code>
      </Stack>
    </Alert>
  )
}

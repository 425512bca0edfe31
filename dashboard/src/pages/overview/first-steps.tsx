/** A checklist of the first steps, for operators of a service without files. */

import { Button, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { Panel } from '../../ui/lists/panel.tsx'
import { firstStepWords } from './words.ts'

interface FirstStep {
  title: string
  text: string
  action: string
  href: string
  done: boolean
}

export function FirstSteps() {
  const w = useWords(firstStepWords)
  const { data: tokens } = useGet('tokens')
  const { data: settings } = useGet('einstellungen')
  const addressSetting = settings?.PUBLIC_URL
  const steps: FirstStep[] = [
    { title: w.uploadTitle, text: w.uploadText, action: w.toFiles, href: PAGES.files, done: false },
    {
      title: w.tokenTitle,
      text: w.tokenText,
      action: w.tokenDo,
      href: PAGES.tokens,
      done: tokens !== undefined && tokens.length > 0,
    },
    {
      title: w.addressTitle,
      text: addressSetting ? w.addressText(addressSetting.wert) : '',
      action: w.toSettings,
      href: `${PAGES.settings}#adressen`,
      done: addressSetting !== undefined && addressSetting.quelle !== 'vorgabe',
    },
  ]
  return (
    <Panel p="lg">
      <Title order={2}>{w.title}</Title>
      <Text c="dimmed" mb="lg">
        {w.description}
      </Text>
      <Stack component="ol" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map((step, at) => (
          <li key={step.title}>
            <StepLine step={step} number={at + 1} />
          </li>
        ))}
      </Stack>
    </Panel>
  )
}

function StepLine({ step, number }: { step: FirstStep; number: number }) {
  const w = useWords(firstStepWords)
  const { title, text, action, href, done } = step
  return (
    <Group wrap="nowrap" align="flex-start" gap="md">
      <ThemeIcon radius="xl" size={32} variant={done ? 'light' : 'filled'} aria-hidden>
        {done ? <IconCheck size={18} /> : number}
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Text fw={600}>
          {title}
          {done && (
            <Text component="span" c="dimmed" fw={400}>
              {' '}
              ({w.done})
            </Text>
          )}
        </Text>
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {!done && (
          <Button mt="xs" component={Link} href={href} variant="default">
            {action}
          </Button>
        )}
      </div>
    </Group>
  )
}
